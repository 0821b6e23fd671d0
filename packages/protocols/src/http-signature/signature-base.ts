import type { RequestParts } from './message.ts'
import type { SignatureInput } from './signature-input.ts'
import { serializeString } from './structured-field.ts'
import type { VerifyRequestCode } from './codes.ts'

const fieldName = /^[!#$%&'*+\-.^_`|~0-9a-z]+$/
const fieldValue = /^[\t -~]*$/

/**
 * The text that was signed (RFC 9421 §2.5). A component that is unknown, parameterised or absent refuses
 * the signature; none is ever taken as empty.
 */
export function signatureBase(
  input: SignatureInput,
  parts: RequestParts,
): string | { readonly code: VerifyRequestCode } {
  if (input.parameterized) return { code: 'component_not_allowed' }
  let base = ''
  for (const name of input.components) {
    const value = name.startsWith('@') ? derivedValue(name, parts) : headerValue(name, parts)
    if (typeof value !== 'string') return value
    base += `${serializeString(name)}: ${value}\n`
  }
  return `${base}"@signature-params": ${input.text}`
}

function derivedValue(name: string, parts: RequestParts): string | { readonly code: VerifyRequestCode } {
  switch (name) {
    case '@method':
      return parts.method
    case '@authority':
      return parts.authority
    case '@path':
      return parts.path
    case '@query':
      // Without a query the value is a lone question mark (RFC 9421 §2.2.7).
      return parts.query ?? '?'
    default:
      return { code: 'component_not_allowed' }
  }
}

function headerValue(name: string, parts: RequestParts): string | { readonly code: VerifyRequestCode } {
  // A signature cannot cover the headers that carry it.
  if (!fieldName.test(name) || name === 'signature' || name === 'signature-input')
    return { code: 'component_not_allowed' }
  const value = parts.fields.values.get(name)
  if (value === undefined) return { code: 'component_absent' }
  // A line break in a value would forge a line of the base.
  return fieldValue.test(value) ? value : { code: 'component_not_allowed' }
}
