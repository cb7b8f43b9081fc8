/**
 * Where worker files are: the one place that turns a module's neighbour into an address. A build that rewrites `.ts`
 * imports leaves string literals alone, so this function follows the extension of the module that asks.
 */

/**
 * URL of the worker `./<name>` beside the module whose `import.meta.url` is given; `name` has no extension.
 */
export function workerUrl(importMetaUrl: string, name: string): string {
  const extension = importMetaUrl.endsWith('.ts') ? '.ts' : '.js';
  return new URL(`./${name}${extension}`, importMetaUrl).href;
}
