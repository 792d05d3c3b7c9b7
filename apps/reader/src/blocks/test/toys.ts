/** A specification with what blocks show of one. */
export const toys = {
  openapi: '3.1.0',
  info: { title: 'Toys', version: '1' },
  servers: [{ url: 'https://{host}/v1/', description: 'Live', variables: { host: { default: 'api.example.com' } } }],
  security: [{ token: [] }],
  paths: {
    '/toys/{id}': {
      parameters: [
        { name: 'id', in: 'path', required: true, schema: { type: 'string' }, description: 'Of the **toy**' },
      ],
      get: {
        summary: 'Get a toy',
        description: 'Reads *one* toy.\n\n* with parts\n\n<script>alert(1)</script>',
        deprecated: true,
        parameters: [
          {
            name: 'fields',
            in: 'query',
            required: true,
            schema: { type: 'array', items: { type: 'string', enum: ['a', 'b'] } },
          },
          { $ref: '#/components/parameters/Trace' },
        ],
        responses: {
          200: {
            description: 'The toy',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Toy' } } },
          },
          404: { $ref: '#/components/responses/Missing' },
        },
      },
      put: {
        operationId: 'putToy',
        security: [{ key: [] }],
        requestBody: {
          required: true,
          description: 'What it becomes',
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Toy' } } },
        },
        responses: { 204: { description: 'Changed' } },
      },
    },
    '/upload': {
      post: {
        summary: "It's an upload",
        requestBody: {
          content: {
            'multipart/form-data': {
              schema: { type: 'object', properties: { name: { type: 'string', example: "it's" } } },
            },
          },
        },
        responses: { default: { description: 'Any' } },
      },
    },
  },
  webhooks: {
    'toy-made': {
      post: {
        summary: 'A toy was made',
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Toy' } } } },
        responses: { 200: { description: 'Taken' } },
      },
    },
  },
  components: {
    securitySchemes: {
      token: { type: 'http', scheme: 'bearer', description: 'A token' },
      key: { type: 'apiKey', in: 'header', name: 'X-Key' },
    },
    parameters: { Trace: { name: 'X-Trace', in: 'header', schema: { type: ['string', 'null'] } } },
    responses: { Missing: { description: 'There is none', content: { 'text/plain': { example: 'gone' } } } },
    schemas: {
      Base: {
        type: 'object',
        required: ['id'],
        properties: { id: { type: 'string', format: 'uuid', readOnly: true } },
      },
      Toy: {
        description: 'Something to play with',
        allOf: [{ $ref: '#/components/schemas/Base' }],
        required: ['name'],
        properties: {
          name: { type: 'string', minLength: 1, maxLength: 80, pattern: '^[a-z]+$', default: 'ball' },
          kind: { oneOf: [{ $ref: '#/components/schemas/Round' }, { type: 'string', enum: ['flat', 'long'] }] },
          parts: { type: 'array', items: { $ref: '#/components/schemas/Toy' }, maxItems: 3 },
          secret: { type: 'string', writeOnly: true },
          more: { type: 'object', additionalProperties: { type: 'integer', minimum: 2 } },
          old: { type: 'boolean', nullable: true, deprecated: true },
        },
      },
      Round: { type: 'object', properties: { size: { type: 'number', enum: [1.5, 2] } } },
      Loop: { $ref: '#/components/schemas/Loop' },
    },
  },
}
