import { isAddress, lowerAddress, type Address } from './bytes.ts'
import { toChecksumAddress } from './checksum.ts'
import { ProtocolError } from './protocol-error.ts'

/** What a wallet is asked to sign to sign in (EIP-4361, version 1). */
export type SignInFields = {
  /** The host and port that asks, without scheme or user. */
  readonly domain: string
  readonly address: Address
  /** One line of plain ASCII. */
  readonly statement?: string
  readonly uri: string
  readonly chainId: number
  /** At least eight letters and digits. */
  readonly nonce: string
  /** RFC 3339 date-times. */
  readonly issuedAt: string
  readonly expirationTime?: string
  readonly notBefore?: string
  readonly requestId?: string
  readonly resources?: readonly string[]
}

const domainShape = /^(?:[A-Za-z0-9](?:[A-Za-z0-9.-]{0,252}[A-Za-z0-9])?|\[[0-9a-fA-F:.]+\])(?::[0-9]{1,5})?$/
const statementShape = /^[A-Za-z0-9 \-._~:/?#[\]@!$&'()*+,;=]{1,1000}$/
const uriShape = /^[A-Za-z][A-Za-z0-9+.-]*:[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]{1,2000}$/
const nonceShape = /^[A-Za-z0-9]{8,128}$/
const timeShape = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/
const requestIdShape = /^[A-Za-z0-9\-._~:@!$&'()*+,;=%]{0,128}$/
const maxResources = 32

/** Writes the text. Throws ProtocolError `malformed` for a field that could be read back as something else. */
export function buildSignInMessage(fields: SignInFields): string {
  const fault = faultOf(fields)
  if (fault !== undefined) throw new ProtocolError('malformed', `sign-in ${fault} is not allowed by EIP-4361`)
  const lines = [
    `${fields.domain} wants you to sign in with your Ethereum account:`,
    toChecksumAddress(fields.address),
    '',
    ...(fields.statement === undefined ? [] : [fields.statement]),
    '',
    `URI: ${fields.uri}`,
    'Version: 1',
    `Chain ID: ${fields.chainId}`,
    `Nonce: ${fields.nonce}`,
    `Issued At: ${fields.issuedAt}`,
  ]
  if (fields.expirationTime !== undefined) lines.push(`Expiration Time: ${fields.expirationTime}`)
  if (fields.notBefore !== undefined) lines.push(`Not Before: ${fields.notBefore}`)
  if (fields.requestId !== undefined) lines.push(`Request ID: ${fields.requestId}`)
  if (fields.resources !== undefined) lines.push('Resources:', ...fields.resources.map((resource) => `- ${resource}`))
  return lines.join('\n')
}

function faultOf(fields: SignInFields): string | undefined {
  if (!domainShape.test(fields.domain)) return 'domain'
  if (!isAddress(fields.address)) return 'address'
  if (fields.statement !== undefined && !statementShape.test(fields.statement)) return 'statement'
  if (!uriShape.test(fields.uri)) return 'uri'
  if (!Number.isSafeInteger(fields.chainId) || fields.chainId < 1) return 'chain id'
  if (!nonceShape.test(fields.nonce)) return 'nonce'
  for (const time of [fields.issuedAt, fields.expirationTime, fields.notBefore]) {
    if (time !== undefined && (!timeShape.test(time) || Number.isNaN(Date.parse(time)))) return 'time'
  }
  if (fields.requestId !== undefined && !requestIdShape.test(fields.requestId)) return 'request id'
  const resources = fields.resources ?? []
  return resources.length > maxResources || resources.some((resource) => !uriShape.test(resource))
    ? 'resources'
    : undefined
}

const layout = new RegExp(
  '^(?<domain>[^\\n]+) wants you to sign in with your Ethereum account:\\n(?<address>0x[0-9a-fA-F]{40})\\n\\n' +
    '(?:(?<statement>[^\\n]+)\\n)?\\nURI: (?<uri>[^\\n]+)\\nVersion: 1\\nChain ID: (?<chainId>[1-9][0-9]{0,15})\\n' +
    'Nonce: (?<nonce>[^\\n]+)\\nIssued At: (?<issuedAt>[^\\n]+)' +
    '(?:\\nExpiration Time: (?<expirationTime>[^\\n]+))?(?:\\nNot Before: (?<notBefore>[^\\n]+))?' +
    '(?:\\nRequest ID: (?<requestId>[^\\n]*))?(?<resources>\\nResources:(?:\\n- [^\\n]+)*)?$',
)

/**
 * Reads a text strictly: it must be exactly what {@link buildSignInMessage} writes for the fields found.
 * Throws ProtocolError `malformed`. Domain, uri, chain, nonce and times still have to be compared with what
 * the service asked for.
 */
export function parseSignInMessage(text: string): SignInFields {
  const groups = text.length <= 16_384 ? layout.exec(text)?.groups : undefined
  if (groups === undefined) throw new ProtocolError('malformed', 'not an EIP-4361 message')
  const fields: SignInFields = {
    domain: groups['domain'] ?? '',
    address: lowerAddress(groups['address'] ?? ''),
    uri: groups['uri'] ?? '',
    chainId: Number(groups['chainId']),
    nonce: groups['nonce'] ?? '',
    issuedAt: groups['issuedAt'] ?? '',
    ...optional('statement', groups['statement']),
    ...optional('expirationTime', groups['expirationTime']),
    ...optional('notBefore', groups['notBefore']),
    ...optional('requestId', groups['requestId']),
    ...(groups['resources'] === undefined ? {} : { resources: groups['resources'].split('\n- ').slice(1) }),
  }
  if (buildSignInMessage(fields) !== text) throw new ProtocolError('malformed', 'not a canonical EIP-4361 message')
  return fields
}

function optional(key: keyof SignInFields, value: string | undefined): Partial<SignInFields> {
  return value === undefined ? {} : { [key]: value }
}

/** Whether a text is a canonical EIP-4361 message. */
export function isCanonicalSignInMessage(text: string): boolean {
  try {
    parseSignInMessage(text)
    return true
  } catch {
    return false
  }
}
