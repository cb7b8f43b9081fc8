/** Shows the document. No validator of others is asked, and no code is highlighted: schemas are large. */
globalThis.SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#api',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
  syntaxHighlight: false,
  tryItOutEnabled: true,
});
