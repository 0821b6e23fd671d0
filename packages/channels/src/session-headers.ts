import { ProtocolError, readRecord, type WireRecord } from '@ergon/protocols'
import { fromHeaderJson } from './canonical-json.ts'
import {
  readKey,
  readU64,
  requestFromWire,
  sessionIntent,
  sessionMethod,
  type SessionRequest,
} from './session-request.ts'

/** A challenge as a client reads it: `echo` goes back as it came. */
export type ReadChallenge = {
  readonly echo: Readonly<Record<string, string>>
  readonly request: SessionRequest
}

/** What a receipt says about a channel so far. Amounts in atomic units. */
export type ReadReceipt = {
  readonly channelId: string
  readonly acceptedCumulative: bigint
  readonly spent: bigint
  readonly txHash?: string
  readonly refunded?: bigint
}

const mostHeader = 65_536
const parameter = /([A-Za-z][A-Za-z0-9_-]*)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/y

/**
 * The session challenges of a `WWW-Authenticate` header, which may hold several, of several schemes. Those of other
 * methods and intents are left out, and so are those that cannot be read.
 */
export function readChallenges(header: string): readonly ReadChallenge[] {
  return parametersOf(header).flatMap((echo) => {
    if (echo['method'] !== sessionMethod || echo['intent'] !== sessionIntent || echo['id'] === undefined) return []
    try {
      return [{ echo, request: requestFromWire(echo['request'] ?? '') }]
    } catch (error) {
      if (error instanceof ProtocolError) return []
      throw error
    }
  })
}

/** The value of a `Payment-Receipt` header. @throws ProtocolError */
export function readReceipt(header: string): ReadReceipt {
  const wire: WireRecord = readRecord(fromHeaderJson(header), 'receipt')
  if (wire['method'] !== sessionMethod || wire['intent'] !== sessionIntent || wire['status'] !== 'success')
    throw new ProtocolError('malformed', 'the receipt is of no session')
  const { txHash, refunded } = wire
  return {
    channelId: readKey(wire, 'reference'),
    acceptedCumulative: readU64(wire, 'acceptedCumulative'),
    spent: readU64(wire, 'spent'),
    ...(typeof txHash === 'string' ? { txHash } : {}),
    ...(refunded === undefined ? {} : { refunded: readU64(wire, 'refunded') }),
  }
}

/** The parameters of each `Payment` challenge, RFC 9110 §11.6.1. */
function parametersOf(header: string): readonly Readonly<Record<string, string>>[] {
  if (header.length > mostHeader) return []
  const found: Record<string, string>[] = []
  let current: Record<string, string> | undefined
  let at = 0
  while (at < header.length) {
    const [scheme] = /^[\s,]*([A-Za-z][A-Za-z0-9_-]*)(?=\s+[A-Za-z])/.exec(header.slice(at, at + 256)) ?? []
    if (scheme !== undefined) {
      at += scheme.length
      current = /payment$/i.test(scheme.trim()) ? {} : undefined
      if (current !== undefined) found.push(current)
    }
    const [gap = ''] = /^[\s,]*/.exec(header.slice(at, at + 256)) ?? []
    parameter.lastIndex = at + gap.length
    const match = parameter.exec(header)
    if (match === null) return found
    const [, name = '', quoted, token = ''] = match
    if (current !== undefined) current[name.toLowerCase()] = quoted?.replaceAll(/\\(.)/g, '$1') ?? token
    at = parameter.lastIndex
  }
  return found
}
