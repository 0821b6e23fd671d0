import { base64ToBytes, bytesToBase64 } from '../base64.ts'
import { utf8 } from '../bytes.ts'
import { ProtocolError } from '../protocol-error.ts'

const maxChars = 65_536

/** A header's value: the JSON of the content in base64. */
export function encodePaymentHeader(content: object): string {
  return bytesToBase64(utf8(JSON.stringify(content)))
}

/** The content of a header, to be read by the parser of its kind. Throws ProtocolError `malformed`. */
export function decodePaymentHeader(value: string): unknown {
  const bytes = value.length > maxChars ? undefined : base64ToBytes(value)
  if (bytes === undefined) throw new ProtocolError('malformed', 'the payment header is not base64')
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (cause) {
    throw new ProtocolError('malformed', 'the payment header is not JSON', { cause })
  }
}
