import { a2aErrors, a2aVersions, type A2aErrorName, type ErrorCode } from '@ergon/contract'
import { isNoJson, readJsonObject, type JsonObject } from '../../dispatch/json-text.ts'
import { headerOf, isJson } from '../../dispatch/plan.ts'
import { refusal, type Refusal } from '../../dispatch/refusal.ts'
import type { RawRequest } from '../../dispatch/request.ts'

export type RpcId = string | number | null

/** One request of JSON-RPC 2.0. Without an id it is a notification: nobody waits for its result. */
export type RpcRequest = {
  readonly id: RpcId
  readonly isNotification: boolean
  readonly method: string
  readonly params: JsonObject
}

/** What the protocol refuses itself, in both tongues: its own name, and the code of the market that is logged. */
export class RpcRefusal extends Error {
  override readonly name = 'RpcRefusal'
  readonly rpc: A2aErrorName
  readonly refused: Refusal
  /** Of the request, where it could be read. */
  readonly id: RpcId

  constructor(rpc: A2aErrorName, code: ErrorCode, why: string, id: RpcId = null) {
    const message = `${a2aErrors[rpc].message}: ${why}`
    super(message)
    this.rpc = rpc
    this.refused = refusal(code, {}, message)
    this.id = id
  }
}

/** A version that is asked for and not spoken is refused by its own name; a patch number says nothing. */
export function demandVersion(request: RawRequest, id: RpcId): void {
  const asked = headerOf(request, 'a2a-version')?.trim() ?? ''
  if (asked === '' || a2aVersions.includes(asked.split('.', 2).join('.'))) return
  throw new RpcRefusal('VersionNotSupported', 'VALIDATION_FAILED', `A2A-Version is ${a2aVersions.join(' or ')}.`, id)
}

/** @throws RpcRefusal */
export function readRpc(request: RawRequest): RpcRequest {
  if (!isJson(request))
    throw new RpcRefusal('InvalidRequest', 'UNSUPPORTED_MEDIA_TYPE', 'only application/json is read here.')
  const envelope = readEnvelope(request.body)
  const { id = null, jsonrpc, method, params = {} } = envelope
  if (id !== null && typeof id !== 'string' && !(typeof id === 'number' && Number.isFinite(id)))
    throw invalid('the id is a string, a number or null.')
  if (jsonrpc !== '2.0') throw invalid('jsonrpc is "2.0".', id)
  if (typeof method !== 'string' || method === '') throw invalid('method is a name.', id)
  if (!isObject(params)) throw new RpcRefusal('InvalidParams', 'MALFORMED_BODY', 'params is an object.', id)
  return { id, isNotification: !('id' in envelope), method, params }
}

function readEnvelope(bytes: Uint8Array): JsonObject {
  try {
    return readJsonObject(bytes, none).value
  } catch (error) {
    if (isNoJson(error)) throw new RpcRefusal('ParseError', 'MALFORMED_BODY', 'the body is not JSON in UTF-8.')
    throw invalid(error instanceof Error ? `one object, and no batch; ${error.message}` : 'one object, and no batch.')
  }
}

const none: ReadonlySet<string> = new Set()

function invalid(message: string, id: RpcId = null): RpcRefusal {
  return new RpcRefusal('InvalidRequest', 'MALFORMED_BODY', message, id)
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export const rpcResult = (id: RpcId, result: unknown): string => JSON.stringify({ jsonrpc: '2.0', id, result })

export const rpcError = (id: RpcId, code: number, message: string, data: unknown): string =>
  JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, data } })
