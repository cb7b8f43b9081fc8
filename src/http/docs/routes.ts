/** `GET /docs`: the OpenAPI document for people, by Swagger UI from this service's own packages. */
import { Hono } from 'hono';

import type { AppEnv } from '../app-env.ts';
import { methodNotAllowed } from '../middleware/errors/errors.ts';
import { staticFile } from '../static-file.ts';

const own = (name: string): URL => new URL(name, import.meta.url);

export function docsRoutes(): Hono<AppEnv> {
  const files = {
    '/docs': own('page.html'),
    '/docs/start.js': own('start.js'),
    '/docs/swagger-ui.css': new URL(import.meta.resolve('swagger-ui-dist/swagger-ui.css')),
    '/docs/swagger-ui-bundle.js': new URL(
      import.meta.resolve('swagger-ui-dist/swagger-ui-bundle.js'),
    ),
  };
  const app = new Hono<AppEnv>();
  for (const [path, file] of Object.entries(files)) {
    app.get(path, staticFile(file));
    app.all(path, methodNotAllowed(['GET', 'HEAD']));
  }
  return app;
}
