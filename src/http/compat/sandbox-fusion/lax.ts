/**
 * Values as pydantic's lax mode reads them: numbers as text, absent as a default. What it refuses carries its error type
 * as `params.type` of the issue. Nothing of a value is echoed.
 */
import { z } from 'zod';

import { SUBMISSION_BOUNDS } from '../../../domain/limits.ts';
import { readFloat, readInteger } from '../number-text.ts';

/** An issue's `params.type` is the pydantic error type that goes on the wire. */
export function refuse(ctx: z.core.$RefinementCtx, type: string, message: string): never {
  ctx.issues.push({ code: 'custom', message, params: { type }, input: undefined });
  return z.NEVER;
}

/** Numbers, numeric strings and booleans. */
export const laxFloat = (fallback: number) =>
  z
    .unknown()
    .optional()
    .transform((value, ctx): number => {
      if (value === undefined) return fallback;
      if (typeof value === 'number') return value;
      if (typeof value === 'boolean') return Number(value);
      if (typeof value !== 'string')
        return refuse(ctx, 'float_type', 'Input should be a valid number');
      return (
        readFloat(value) ??
        refuse(
          ctx,
          'float_parsing',
          'Input should be a valid number, unable to parse string as a number',
        )
      );
    });

/**
 * A time limit in seconds. Zero and less, which the original takes for a limit that every program exceeds, would be a
 * reward of 0 for a slip of the caller's.
 */
export const timeout = (fallback: number) =>
  laxFloat(fallback).transform((value, ctx): number =>
    value > 0 ? value : refuse(ctx, 'greater_than', 'Input should be greater than 0'),
  );

/** Integers, numbers without a fraction, strings of either, and booleans. */
export const laxInt = (fallback: number) =>
  z
    .unknown()
    .optional()
    .transform((value, ctx): number => {
      if (value === undefined) return fallback;
      if (typeof value === 'boolean') return Number(value);
      if (typeof value === 'string') {
        return (
          readInteger(value) ??
          refuse(
            ctx,
            'int_parsing',
            'Input should be a valid integer, unable to parse string as an integer',
          )
        );
      }
      if (typeof value !== 'number')
        return refuse(ctx, 'int_type', 'Input should be a valid integer');
      if (Number.isInteger(value)) return value;
      return refuse(
        ctx,
        'int_from_float',
        'Input should be a valid integer, got a number with a fractional part',
      );
    });

export const strictString = z
  .unknown()
  .optional()
  .transform((value, ctx): string => {
    if (typeof value === 'string') return value;
    if (value === undefined) return refuse(ctx, 'missing', 'Field required');
    return refuse(ctx, 'string_type', 'Input should be a valid string');
  });

/** A string or null. */
export const optionalString = z
  .unknown()
  .optional()
  .transform((value, ctx): string | null => {
    if (value === undefined || value === null) return null;
    return typeof value === 'string'
      ? value
      : refuse(ctx, 'string_type', 'Input should be a valid string');
  });

/** Details told at once. */
export const DETAILS_MAX = 20;

export const files = z
  .unknown()
  .optional()
  .transform((value, ctx): Readonly<Record<string, string | null>> => {
    if (value === undefined) return {};
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return refuse(ctx, 'dict_type', 'Input should be a valid dictionary');
    }
    const entries = Object.entries(value);
    for (const [name, content] of entries) {
      if (content === null || typeof content === 'string') continue;
      if (ctx.issues.length >= DETAILS_MAX) break;
      ctx.issues.push({
        code: 'custom',
        message: 'Input should be a valid string',
        params: { type: 'string_type' },
        path: [name],
        input: undefined,
      });
    }
    return Object.fromEntries(entries) as Record<string, string | null>; // every other value has just been refused
  });

export const paths = z
  .unknown()
  .optional()
  .transform((value, ctx): readonly string[] => {
    if (value === undefined) return [];
    if (!Array.isArray(value)) return refuse(ctx, 'list_type', 'Input should be a valid list');
    if (!value.every((each) => typeof each === 'string'))
      return refuse(ctx, 'string_type', 'Input should be a valid string');
    const most = SUBMISSION_BOUNDS.collect;
    if (value.length <= most) return value;
    const message = `List should have at most ${most} items after validation, not ${value.length}`;
    return refuse(ctx, 'too_long', message);
  });
