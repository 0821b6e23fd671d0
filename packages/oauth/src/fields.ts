import { OAuthError } from './oauth-error.ts'

/** Fields of a query or a form, each at most once. */
export type Fields = ReadonlyMap<string, string>

const mostFields = 50

/**
 * Every value of every name, in order; a field without a value counts as left out (RFC 6749 §3.1). No value has a NUL
 * there (appendix A), and no database keeps one. @throws OAuthError invalid_request
 */
export function readFields(text: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  let count = 0
  for (const [name, value] of new URLSearchParams(text)) {
    count += 1
    if (count > mostFields) throw new OAuthError('invalid_request', `more than ${String(mostFields)} parameters`)
    if (value.includes('\0')) throw new OAuthError('invalid_request', 'a parameter holds a NUL')
    if (value === '') continue
    const values = found.get(name)
    if (values === undefined) found.set(name, [value])
    else values.push(value)
  }
  return found
}

/** @throws OAuthError invalid_request for a repeated one (RFC 6749 §3.1) */
export function singleFields(all: ReadonlyMap<string, readonly string[]>): Fields {
  return new Map(
    [...all].map(([name, values]): [string, string] => {
      const [value = '', another] = values
      if (another !== undefined) throw new OAuthError('invalid_request', 'a parameter is given twice')
      return [name, value]
    }),
  )
}

/** @throws OAuthError invalid_request when it is missing */
export function required(fields: Fields, name: string): string {
  const value = fields.get(name)
  if (value === undefined) throw new OAuthError('invalid_request', `${name} is missing`)
  return value
}
