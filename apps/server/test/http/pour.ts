import { pathFields, type RestBinding } from '@ergon/contract'

export type Poured = {
  readonly target: string
  readonly headers: Record<string, string>
  readonly body: string | undefined
}

const plain = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
const escaped = (value: unknown): string => encodeURIComponent(plain(value).toWellFormed())

/** A call as its binding sends it; what fits no URL or header is left to the tests of those. */
export function pour(binding: RestBinding, input: Readonly<Record<string, unknown>>): Poured {
  const inPath = new Set(pathFields(binding.path))
  const inHeader = new Map(Object.entries(binding.headers ?? {}))
  const path = binding.path.replaceAll(
    /\{([a-z_]+)\}/g,
    (_all, field: string) => escaped(input[field] ?? 'nothing').replaceAll('.', '%2E') || 'x',
  )
  const headers: Record<string, string> = {}
  const rest: [string, unknown][] = []
  for (const [field, value] of Object.entries(input)) {
    const header = inHeader.get(field)
    if (header !== undefined)
      headers[header.toLowerCase()] = plain(value)
        .replaceAll(/[^\x20-\x7e]/g, '?')
        .trim()
    else if (!inPath.has(field)) rest.push([field, value])
  }
  if (binding.method !== 'GET' && binding.method !== 'DELETE')
    return { target: path, headers, body: JSON.stringify(Object.fromEntries(rest)) }
  const query = rest.map(([name, value]) => `${escaped(name)}=${escaped(value)}`).join('&')
  return { target: query === '' ? path : `${path}?${query}`, headers, body: undefined }
}
