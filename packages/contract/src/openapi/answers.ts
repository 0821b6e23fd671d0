import { errorCatalogue, errorNames, type ErrorCode } from '../errors.ts'
import { headerNames } from '../vocabulary.ts'

type Json = Record<string, unknown>

const text = (description: string, example: string): Json => ({ description, schema: { type: 'string' }, example })
const number = (description: string, example: number): Json => ({ description, schema: { type: 'integer' }, example })

/** Headers of answers, by the name that they are sent under. */
export const answerHeaders: Readonly<Record<string, Json>> = {
  [headerNames.requestId]: text(
    'Names this request; quote it when you report a fault.',
    '5b0e3a52-6f0f-4c6a-9a55-0c3a',
  ),
  'RateLimit-Limit': number('Requests of this caller in a window.', 600),
  'RateLimit-Remaining': number('Requests left in this window.', 599),
  'RateLimit-Reset': number('Seconds until the window ends.', 42),
  'X-RateLimit-Reset': number('When to come again, in seconds since 1970.', 1795435200),
  'Retry-After': number('Seconds to wait before the same request is sent again.', 10),
  'Idempotent-Replayed': text('`true` where an earlier request with this key made the answer.', 'true'),
  'WWW-Authenticate': text('How to prove who asks.', 'ERC8128 realm="market.example"'),
  [headerNames.authSchemes]: text('The schemes that are accepted.', 'erc8128'),
  ETag: text('Send it in If-None-Match, and an unchanged answer is 304.', '"p3nJ0d3b2yJx8m1c4v5n6Q"'),
}

/** References to headers of answers, for a `headers` object. */
export const refers = (...names: readonly string[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

/** On every answer of an operation. */
export const always = refers(headerNames.requestId, 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset')

const byStatus: Readonly<Record<number, readonly string[]>> = {
  401: ['WWW-Authenticate', headerNames.authSchemes],
  409: ['Retry-After'],
  429: ['Retry-After', 'X-RateLimit-Reset'],
  503: ['Retry-After'],
}

/** The body of both envelopes. */
export const errorBody: Json = {
  type: 'object',
  description: 'Satisfies both envelopes of the specification at once; branch on detail.code and detail.retryable.',
  required: ['error', 'code', 'message', 'request_id', 'detail'],
  properties: {
    error: { type: 'string', description: 'The name of the status.' },
    code: { type: 'string', description: 'What went wrong; one word of the catalogue.' },
    message: { type: 'string', description: 'The same in a sentence.' },
    details: { type: 'object', description: 'What the code is about: fields, bounds, ids.' },
    request_id: { type: 'string', description: 'Names this request.' },
    detail: {
      type: 'object',
      description: 'Envelope B; it holds `details` as well.',
      required: ['code', 'retryable', 'message', 'recovery'],
      additionalProperties: true,
      properties: {
        error: { type: 'string', description: 'The name of the status.' },
        code: { type: 'string', description: 'What went wrong; branch on it.' },
        retryable: { type: 'boolean', description: 'Whether the same call may succeed later.' },
        message: { type: 'string', description: 'The same in a sentence.' },
        recovery: { type: 'string', description: 'What to do now.' },
        ref: { type: 'string', description: 'Names this request.' },
      },
    },
  },
}

const content = (code: ErrorCode): Json => ({
  'application/json': { schema: { $ref: '#/components/schemas/Error' }, example: exampleBody(code) },
})

/** What never became a request: it reached no operation, and none of the limits counted it (decision 0305). */
const neverRead = {
  408: 'The request did not arrive in time: MALFORMED_BODY',
  431: 'The target and the headers together are too large: MALFORMED_BODY',
} as const

/** The answers of some codes, by status; what is not foreseen has the same body. */
export function errorResponses(codes: readonly ErrorCode[]): Json {
  const statuses = [...new Set(codes.map((code) => errorCatalogue[code].status))].sort((a, b) => a - b)
  return {
    ...Object.fromEntries(
      statuses.map((status) => {
        const own = codes.filter((code) => errorCatalogue[code].status === status)
        return [
          String(status),
          {
            description: `${errorNames[status]}: ${own.join(', ')}`,
            headers: { ...always, ...refers(...(byStatus[status] ?? [])) },
            content: content(own[0] ?? 'INTERNAL'),
          },
        ]
      }),
    ),
    ...Object.fromEntries(
      Object.entries(neverRead).map(([status, description]) => [
        status,
        { description, headers: refers(headerNames.requestId), content: content('MALFORMED_BODY') },
      ]),
    ),
    default: {
      description: 'Whatever else is refused, with the same body.',
      headers: always,
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
    },
  }
}

function exampleBody(code: ErrorCode): Json {
  const { status, retryable, message, recovery } = errorCatalogue[code]
  const [error, request] = [errorNames[status], '5b0e3a52-6f0f-4c6a-9a55-0c3a']
  return {
    error,
    code,
    message,
    request_id: request,
    detail: { error, code, retryable, message, recovery, ref: request },
  }
}
