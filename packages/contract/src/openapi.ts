import { disabledFeatures, type DisabledFeature } from './disabled-features.ts'
import { errorCatalogue, errorNames, type ErrorCode } from './errors.ts'
import { errorsOf, type Operation, type RestBinding } from './operation.ts'
import { pathFields, takesIdempotencyKey } from './rest-binding.ts'
import { operations } from './operations/index.ts'
import { idempotencyKey } from './schema.ts'
import { headerNames } from './vocabulary.ts'

type Json = Record<string, unknown>

const errorBody: Json = {
  type: 'object',
  description: 'Satisfies both envelopes of the specification at once; branch on detail.code and detail.retryable.',
  required: ['error', 'code', 'message', 'request_id', 'detail'],
  properties: {
    error: { type: 'string' },
    code: { type: 'string' },
    message: { type: 'string' },
    details: { type: 'object' },
    request_id: { type: 'string' },
    detail: {
      type: 'object',
      required: ['code', 'retryable', 'message', 'recovery'],
      properties: {
        code: { type: 'string' },
        retryable: { type: 'boolean' },
        message: { type: 'string' },
        recovery: { type: 'string' },
        ref: { type: 'string' },
      },
    },
  },
}

const schemaOf = (definition: Operation, field: string): unknown => definition.input.properties[field]
const isRequired = (definition: Operation, field: string): boolean => (definition.input.required ?? []).includes(field)

function parameters(definition: Operation, binding: RestBinding): Json[] {
  const inPath = pathFields(binding.path)
  const headers = binding.headers ?? {}
  const ownKey = Object.values(headers).includes(headerNames.idempotencyKey)
  const key: Json[] =
    takesIdempotencyKey(definition, binding) && !ownKey
      ? [{ name: headerNames.idempotencyKey, in: 'header', required: false, schema: idempotencyKey() }]
      : []
  const fields = Object.keys(definition.input.properties).flatMap((field): Json[] => {
    const header = headers[field]
    if (inPath.includes(field))
      return [{ name: field, in: 'path', required: true, schema: schemaOf(definition, field) }]
    if (header !== undefined)
      return [
        { name: header, in: 'header', required: isRequired(definition, field), schema: schemaOf(definition, field) },
      ]
    if (binding.method === 'GET' || binding.method === 'DELETE')
      return [
        { name: field, in: 'query', required: isRequired(definition, field), schema: schemaOf(definition, field) },
      ]
    return []
  })
  return [...fields, ...key]
}

function requestBody(definition: Operation, binding: RestBinding): Json | undefined {
  if (binding.method === 'GET' || binding.method === 'DELETE') return undefined
  const elsewhere = new Set([...pathFields(binding.path), ...Object.keys(binding.headers ?? {})])
  const fields = Object.keys(definition.input.properties).filter((field) => !elsewhere.has(field))
  const required = fields.filter((field) => isRequired(definition, field))
  const schema = {
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(fields.map((field) => [field, schemaOf(definition, field)])),
    ...(required.length === 0 ? {} : { required }),
  }
  return { required: required.length > 0, content: { 'application/json': { schema } } }
}

function errorResponses(codes: readonly ErrorCode[]): Json {
  const statuses = [...new Set(codes.map((code) => errorCatalogue[code].status))].sort((a, b) => a - b)
  return Object.fromEntries(
    statuses.map((status) => [
      String(status),
      {
        description: `${errorNames[status]}: ${codes.filter((code) => errorCatalogue[code].status === status).join(', ')}`,
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    ]),
  )
}

function security(definition: Operation): Json[] {
  const { access } = definition
  if (access.by === 'session') return [{ session: [] }]
  if (access.by === 'admin') return [{ adminKey: [] }]
  const alsoSession = access.session === true ? [{ session: [] }] : []
  if (access.by === 'anyone') return [{}, { walletSignature: [] }, ...alsoSession]
  return [{ walletSignature: [] }, ...alsoSession, ...(access.admin === true ? [{ adminKey: [] }] : [])]
}

function pathItem(name: string, definition: Operation, binding: RestBinding, alias: boolean): Json {
  const body = requestBody(definition, binding)
  const answer = { description: definition.summary, content: { 'application/json': { schema: definition.output } } }
  return {
    operationId: alias ? `${name}.${binding.method.toLowerCase()}` : name,
    tags: [definition.section],
    summary: definition.summary,
    parameters: parameters(definition, binding),
    ...(body === undefined ? {} : { requestBody: body }),
    responses: {
      [String(definition.success)]: answer,
      ...(definition.inFlight === true
        ? { '202': { ...answer, description: 'In flight: poll the task, never resend.' } }
        : {}),
      ...errorResponses(errorsOf(definition)),
    },
    security: security(definition),
  }
}

/** A route that is off, so that a reader of the document learns it there and not by calling. */
function disabledItem(feature: string, { code, says }: DisabledFeature, { method, path }: RestBinding): Json {
  const inPath = pathFields(path).map((name): Json => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
  return {
    operationId: `disabled.${feature}.${method.toLowerCase()}${path.replaceAll(/[^a-z0-9]+/g, '.').replace(/\.$/, '')}`,
    tags: ['disabled'],
    summary: says,
    parameters: inPath,
    responses: errorResponses([code, 'API_KEY_REFUSED', 'bearer_not_allowed']),
    security: [{}],
  }
}

/**
 * The OpenAPI 3.1 document of the REST surface, derived from `operations` alone; served at /openapi.json.
 *
 * @param options - `serverUrl` is the public base URL, `version` the version of the service.
 */
export function openApiDocument(options: { serverUrl: string; version: string }): Json {
  const paths: Record<string, Json> = {}
  for (const [name, definition] of Object.entries<Operation>(operations)) {
    definition.rest.forEach((binding, index) => {
      const item = (paths[binding.path] ??= {})
      item[binding.method.toLowerCase()] = pathItem(name, definition, binding, index > 0)
    })
  }
  for (const [feature, definition] of Object.entries<DisabledFeature>(disabledFeatures)) {
    for (const binding of definition.routes)
      (paths[binding.path] ??= {})[binding.method.toLowerCase()] = disabledItem(feature, definition, binding)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Ergon',
      version: options.version,
      description: 'An open task marketplace: bounties in stablecoin, escrow on chain, evidence checked.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: options.serverUrl }],
    paths,
    components: {
      schemas: { Error: errorBody },
      securitySchemes: {
        walletSignature: {
          type: 'http',
          scheme: 'erc8128',
          description:
            'RFC 9421 signature by a wallet in Signature-Input and Signature; the live policy is GET /api/v1/auth/erc8128/info.',
        },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-svc_session',
          description:
            'Session of a person, from POST /api/v1/auth/session; what changes something also needs an allowed Origin.',
        },
        adminKey: { type: 'apiKey', in: 'header', name: 'X-Admin-Key' },
      },
    },
  }
}
