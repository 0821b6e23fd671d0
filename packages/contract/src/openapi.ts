import { disabledFeatures, type DisabledFeature } from './disabled-features.ts'
import type { ErrorCode } from './errors.ts'
import { always, answerHeaders, errorBody, errorResponses, refers } from './openapi/answers.ts'
import { createComponents, explained, withType, type Components } from './openapi/components.ts'
import { exampleOf } from './openapi/example-of.ts'
import { tagWords } from './openapi/tags.ts'
import { uploadItems } from './openapi/upload-items.ts'
import { pascal, webhookItems } from './openapi/webhook-items.ts'
import { errorsOf, signatureErrors, takesUnsigned, writes, type Operation, type RestBinding } from './operation.ts'
import { pathFields, takesIdempotencyKey } from './rest-binding.ts'
import { operations } from './operations/index.ts'
import { idempotencyKey } from './schema.ts'
import { headerNames } from './vocabulary.ts'

type Json = Record<string, unknown>

const schemaOf = (definition: Operation, field: string): unknown => definition.input.properties[field]
const isRequired = (definition: Operation, field: string): boolean => (definition.input.required ?? []).includes(field)

type Place = 'path' | 'header' | 'query'

function parameters(definition: Operation, binding: RestBinding): Json[] {
  const inPath = pathFields(binding.path)
  const headers = binding.headers ?? {}
  const ownKey = Object.values(headers).includes(headerNames.idempotencyKey)
  const parameter = (field: string, name: string, place: Place, required: boolean): Json => {
    const { description, examples, ...schema } = explained(
      field,
      schemaOf(definition, field),
      schemaOf(definition, field),
    ) as Json // of a schema, always an object
    return {
      name,
      in: place,
      required,
      description: description ?? `The ${field.replaceAll('_', ' ')}.`,
      schema: withType(schema),
      ...(Array.isArray(examples) ? { example: examples[0] as unknown } : {}),
    }
  }
  const key: Json[] =
    takesIdempotencyKey(definition, binding) && !ownKey
      ? [
          {
            name: headerNames.idempotencyKey,
            in: 'header',
            required: false,
            description: 'Say the same when you send the same again.',
            schema: idempotencyKey(),
            example: 'a-key-of-yours-1',
          },
        ]
      : []
  const fields = Object.keys(definition.input.properties).flatMap((field): Json[] => {
    const header = headers[field]
    const isNeeded = isRequired(definition, field)
    if (inPath.includes(field)) return [parameter(field, field, 'path', true)]
    if (header !== undefined) return [parameter(field, header, 'header', isNeeded)]
    return takesBody(binding) ? [] : [parameter(field, field, 'query', isNeeded)]
  })
  return [...fields, ...key]
}

const takesBody = ({ method }: RestBinding): boolean => method !== 'GET' && method !== 'DELETE'

function requestBody(name: string, definition: Operation, binding: RestBinding, components: Components): Json {
  if (!takesBody(binding)) return {}
  const elsewhere = new Set([...pathFields(binding.path), ...Object.keys(binding.headers ?? {})])
  const fields = Object.keys(definition.input.properties).filter((field) => !elsewhere.has(field))
  const required = fields.filter((field) => isRequired(definition, field))
  const schema = {
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(fields.map((field) => [field, schemaOf(definition, field)])),
    ...(required.length === 0 ? {} : { required }),
  }
  return {
    requestBody: {
      required: required.length > 0,
      content: {
        'application/json': { schema: components.named(`${pascal(name)}Body`, schema), example: exampleOf(schema) },
      },
    },
  }
}

function security(definition: Operation): Json[] {
  const { access } = definition
  if (access.by === 'session') return [{ session: [] }]
  if (access.by === 'admin') return [{ adminKey: [] }]
  const alsoSession = access.session === true ? [{ session: [] }] : []
  const alsoUnsigned = takesUnsigned(access) ? [{}] : []
  if (access.by === 'anyone') return [...alsoUnsigned, { walletSignature: [] }, ...alsoSession]
  return [
    ...alsoUnsigned,
    { walletSignature: [] },
    ...alsoSession,
    ...(access.admin === true ? [{ adminKey: [] }] : []),
  ]
}

/** Who may call, and what a resend does, in words. */
function descriptionOf(definition: Operation): string {
  const { access, resend } = definition
  const who = {
    anyone: 'Open to anyone; a signature says who asks.',
    wallet: takesUnsigned(access)
      ? 'Lists what is of the wallet that signs; empty without a signature.'
      : 'Needs a signature of the wallet.',
    session: 'Needs the session of a person.',
    admin: 'Needs the admin key of the deployment.',
  }[access.by]
  const again =
    resend === undefined || resend === 'unkeyed'
      ? ''
      : ` Send ${headerNames.idempotencyKey}, and the same key when you send the same again.`
  const late = definition.inFlight === true ? ' 202 means that the chain is still working: read on, never resend.' : ''
  return `${who}${again}${late}`
}

/** Bytes as they are served; the schema names their kind. */
const rawContent: Readonly<Record<string, string>> = {
  'events.stream': 'text/event-stream',
  'meters.stream': 'text/event-stream',
  'streams.stream': 'text/event-stream',
  'taximetro.stream': 'text/event-stream',
  'account.export': 'application/json',
  'reputation.feedback': 'application/json',
}

/** An answer that carries a tag is not sent again to who has it. */
const tagged: ReadonlySet<string> = new Set(['service.agentCard'])

function success(name: string, definition: Operation, components: Components): Json {
  const { output, summary } = definition
  const type = definition.raw === true ? (rawContent[name] ?? 'application/octet-stream') : 'application/json'
  const isText = type === 'text/event-stream'
  const schema = isText ? { type: 'string' } : components.named(`${pascal(name)}Answer`, output)
  const example = isText
    ? 'id: 0-42\nevent: task.created\ndata: {"id":"01890a5d-ac96-774b-bcce-b302099a8057"}\n\n'
    : exampleOf(output, '', true)
  const own = [...(writes(definition) ? ['Idempotent-Replayed'] : []), ...(tagged.has(name) ? ['ETag'] : [])]
  return {
    description: summary,
    headers: { ...always, ...refers(...own) },
    content: { [type]: { schema, ...(definition.raw === true && !isText ? {} : { example }) } },
  }
}

/** Also what routing and a signature that nobody asked for can answer. */
function codesOf(definition: Operation, binding: RestBinding): readonly ErrorCode[] {
  const unrouted: readonly ErrorCode[] = pathFields(binding.path).length === 0 ? [] : ['NOT_FOUND']
  return [...new Set<ErrorCode>([...errorsOf(definition), ...signatureErrors, ...unrouted])]
}

function pathItem(
  name: string,
  definition: Operation,
  binding: RestBinding,
  alias: boolean,
  components: Components,
): Json {
  const answer = success(name, definition, components)
  return {
    operationId: alias ? `${name}.${binding.method.toLowerCase()}` : name,
    tags: [definition.section],
    summary: definition.summary,
    description: descriptionOf(definition),
    parameters: parameters(definition, binding),
    ...requestBody(name, definition, binding, components),
    responses: {
      [String(definition.success)]: answer,
      ...(definition.already === true ? { '200': { ...answer, description: 'It was so already.' } } : {}),
      ...(definition.inFlight === true
        ? { '202': { ...answer, description: 'In flight: read what becomes of it, never resend.' } }
        : {}),
      ...(tagged.has(name) ? { '304': { description: 'Not changed since the ETag of If-None-Match.' } } : {}),
      ...components.shared(errorResponses(codesOf(definition, binding))),
    },
    security: security(definition),
  }
}

/** What is refused before it is known where a request leads. */
const onSight: readonly ErrorCode[] = [
  'API_KEY_REFUSED',
  'bearer_not_allowed',
  'MALFORMED_BODY',
  'request_body_too_large',
  'UNSUPPORTED_MEDIA_TYPE',
]

/** A route that is off, so that a reader of the document learns it there and not by calling. */
function disabledItem(
  feature: string,
  { code, says }: DisabledFeature,
  { method, path }: RestBinding,
  components: Components,
): Json {
  const inPath = pathFields(path).map((name): Json => ({
    name,
    in: 'path',
    required: true,
    description: `The ${name.replaceAll('_', ' ')}.`,
    schema: { type: 'string' },
  }))
  return {
    operationId: `disabled.${feature}.${method.toLowerCase()}${path.replaceAll(/[^a-z0-9]+/g, '.').replace(/\.$/, '')}`,
    tags: ['disabled'],
    summary: says,
    description: `${says} GET /api/v1/config lists what this deployment offers.`,
    parameters: inPath,
    responses: components.shared(errorResponses([code, ...onSight])),
    security: [{}],
  }
}

/** What a document is about; `section` alone where it names one. */
export type OpenApiOptions = {
  readonly serverUrl: string
  readonly version: string
  readonly section?: string
  /** Features that are on in this deployment: it does not say of them that they are off. */
  readonly served?: ReadonlySet<DisabledFeature>
}

/** The sections of the document, each of which is a document of its own. */
export const openApiSections: readonly string[] = Object.keys(tagWords)

/**
 * The OpenAPI 3.1 document of the REST surface, derived from `operations` alone; served at /openapi.json, and by
 * section at /openapi/{section}.json.
 *
 * @param options - `serverUrl` is the public base URL, `version` the version of the service.
 */
export function openApiDocument({ serverUrl, version, section, served }: OpenApiOptions): Json {
  const components = createComponents()
  const paths = pathsOf(components, (tag) => section === undefined || tag === section, served)
  const webhooks = section === undefined || section === 'webhooks' ? { webhooks: webhookItems(components) } : {}
  const tags = Object.entries(tagWords).filter(([name]) => section === undefined || name === section)
  return {
    openapi: '3.1.0',
    info: {
      title: section === undefined ? 'Ergon' : `Ergon: ${section}`,
      version,
      description: 'An open task marketplace: bounties in stablecoin, escrow on chain, evidence checked.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: serverUrl, description: 'This deployment.' }],
    tags: tags.map(([name, description]) => ({ name, description })),
    paths,
    ...webhooks,
    components: {
      schemas: { Error: errorBody, ...components.all() },
      responses: components.answers(),
      headers: answerHeaders,
      securitySchemes,
    },
  }
}

function pathsOf(
  components: Components,
  isWanted: (tag: string) => boolean,
  served: ReadonlySet<DisabledFeature> = new Set(),
): Json {
  const paths: Record<string, Json> = {}
  for (const [name, definition] of Object.entries<Operation>(operations)) {
    if (!isWanted(definition.section)) continue
    definition.rest.forEach((binding, index) => {
      const item = (paths[binding.path] ??= {})
      item[binding.method.toLowerCase()] = pathItem(name, definition, binding, index > 0, components)
    })
  }
  if (isWanted('evidence')) Object.assign(paths, uploadItems)
  if (isWanted('disabled'))
    for (const [feature, definition] of Object.entries<DisabledFeature>(disabledFeatures))
      for (const binding of served.has(definition) ? [] : definition.routes)
        (paths[binding.path] ??= {})[binding.method.toLowerCase()] = disabledItem(
          feature,
          definition,
          binding,
          components,
        )
  return paths
}

const securitySchemes: Json = {
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
  adminKey: {
    type: 'apiKey',
    in: 'header',
    name: headerNames.adminKey,
    description: 'The key of the operator of this deployment.',
  },
}
