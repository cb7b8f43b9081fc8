/** The wire of the data-set endpoints: requests as clients send them, and what is answered. */
import { z } from 'zod';

import { laxFloat, laxInt, optionalString, refuse, strictString } from '../lax.ts';
import type { RunCodeResponse } from '../schema.ts';

/** A row as a caller holds it: columns of any kind. */
export type Row = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const id = z
  .unknown()
  .optional()
  .transform((value, ctx): number | string => {
    if (value === undefined) return refuse(ctx, 'missing', 'Field required');
    if (typeof value === 'string') return value;
    if (typeof value === 'number' && Number.isInteger(value)) return value;
    return refuse(ctx, 'int_type', 'Input should be a valid integer');
  });

/** Seconds; null and 0 for the kind's own. */
const seconds = z.preprocess(
  (value) => value ?? undefined,
  laxFloat(0).transform((value, ctx): number | null => {
    if (value === 0) return null;
    return value > 0 ? value : refuse(ctx, 'greater_than', 'Input should be greater than 0');
  }),
);

const flag = z
  .unknown()
  .optional()
  .transform((value, ctx): boolean => {
    if (value === undefined || value === null) return false;
    if (typeof value === 'boolean') return value;
    if (value === 0 || value === 1) return value === 1;
    return refuse(ctx, 'bool_type', 'Input should be a valid boolean');
  });

const extra = z
  .unknown()
  .optional()
  .transform((value, ctx): Row => {
    if (value === undefined) return {};
    return isObject(value) ? value : refuse(ctx, 'dict_type', 'Input should be a valid dictionary');
  });

/** One row, a list of them, or null. */
const providedData = z
  .unknown()
  .optional()
  .transform((value, ctx): Row | readonly Row[] | null => {
    if (value === undefined || value === null) return null;
    if (isObject(value)) return value;
    if (Array.isArray(value) && value.every(isObject)) return value;
    return refuse(ctx, 'dict_type', 'Input should be a valid dictionary');
  });

const TestConfig = z.looseObject({
  dataset_type: optionalString,
  language: optionalString,
  locale: optionalString,
  is_fewshot: flag,
  compile_timeout: seconds,
  run_timeout: seconds,
  custom_extract_logic: optionalString,
  provided_data: providedData,
  extra,
});
export type TestConfig = z.infer<typeof TestConfig>;

const config = z
  .unknown()
  .optional()
  .transform((value, ctx) => {
    if (value === undefined) return refuse(ctx, 'missing', 'Field required');
    return isObject(value)
      ? value
      : refuse(ctx, 'model_attributes_type', 'Input should be a valid dictionary');
  })
  .pipe(TestConfig);

const common = { dataset: strictString, config };

export const DatasetRequest = z.looseObject(common);
export type DatasetRequest = z.infer<typeof DatasetRequest>;

export const GetPromptsRequest = z.looseObject({
  ...common,
  offset: laxInt(0),
  limit: laxInt(1_000_000),
});

export const GetPromptByIdRequest = z.looseObject({ ...common, id });

export const SubmitRequest = z.looseObject({ ...common, id, completion: strictString });
export type SubmitRequest = z.infer<typeof SubmitRequest>;

const results = z
  .unknown()
  .optional()
  .transform((value, ctx): readonly { readonly accepted: boolean }[] => {
    if (value === undefined) return refuse(ctx, 'missing', 'Field required');
    if (!Array.isArray(value)) return refuse(ctx, 'list_type', 'Input should be a valid list');
    const list: readonly unknown[] = value;
    return list.map((each) => {
      if (isObject(each) && typeof each['accepted'] === 'boolean')
        return { accepted: each['accepted'] };
      return refuse(ctx, 'missing', 'every result needs accepted, a boolean');
    });
  });

export const GetMetricsRequest = z.looseObject({ ...common, results });

export interface Prompt {
  readonly id: number | string;
  readonly prompt: string;
  readonly labels: Row;
}

export type ExtractedType = 'fenced' | 'incomplete_fenced' | 'heuristic' | 'empty';

export interface EvalTestCase {
  readonly passed: boolean;
  readonly exec_info: RunCodeResponse;
  readonly test_info: Row | null;
}

export interface EvalResult {
  readonly id: number | string;
  readonly accepted: boolean;
  readonly extracted_code: string;
  readonly full_code: string | null;
  readonly test_code: string | null;
  readonly tests: readonly EvalTestCase[];
  readonly extracted_type: ExtractedType | null;
  readonly extra: Row | null;
}
