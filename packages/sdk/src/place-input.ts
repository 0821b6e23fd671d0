import { headerNames, type RestBinding } from '@ergon/contract'
import { pathFields, takesIdempotencyKey, type WireOperation } from '@ergon/contract/wire'

/** A request as it will be sent, signature headers apart. */
export type PlacedRequest = {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

/**
 * Puts every field of an input, and the idempotency key of a mutation, where the operation's first binding says it
 * travels: path, header, query or body.
 */
export function placeInput(
  baseUrl: string,
  definition: WireOperation,
  input: Readonly<Record<string, unknown>>,
): PlacedRequest {
  const [binding] = definition.rest
  if (binding === undefined) throw new TypeError('the operation has no REST binding')
  const url = new URL(baseUrl.replace(/\/+$/, '') + fillPath(binding.path, input))
  const headers: Record<string, string> = { accept: 'application/json' }
  const inPath = new Set(pathFields(binding.path))
  const rest: [string, unknown][] = []
  for (const [field, value] of Object.entries(input)) {
    const header =
      binding.headers?.[field] ??
      (field === 'idempotency_key' && takesIdempotencyKey(definition, binding) ? headerNames.idempotencyKey : undefined)
    if (value === undefined || inPath.has(field)) continue
    if (header === undefined) rest.push([field, value])
    else headers[header.toLowerCase()] = wireText(value)
  }
  if (!hasBody(binding)) {
    for (const [field, value] of rest)
      for (const one of Array.isArray(value) ? (value as readonly unknown[]) : [value])
        url.searchParams.append(field, wireText(one))
    return { method: binding.method, url: url.href, headers, body: undefined }
  }
  headers['content-type'] = 'application/json'
  return { method: binding.method, url: url.href, headers, body: JSON.stringify(Object.fromEntries(rest)) }
}

function hasBody(binding: RestBinding): boolean {
  return binding.method !== 'GET' && binding.method !== 'DELETE'
}

function fillPath(path: string, input: Readonly<Record<string, unknown>>): string {
  return path.replace(/\{([a-z_]+)\}/g, (_, field: string) => {
    const value = wireText(input[field])
    // An empty segment or a dot segment would name another route than the one that is meant.
    if (value === '' || value === '.' || value === '..') throw new TypeError(`${field} is missing`)
    return encodeURIComponent(value)
  })
}

function wireText(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
