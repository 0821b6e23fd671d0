import { readClientMetadata } from './client-metadata.ts'
import { OAuthError } from './oauth-error.ts'
import type { Client, Clock, DocumentFetcher } from './ports.ts'

export type ClientDocumentsDeps = { readonly documents: DocumentFetcher; readonly now: Clock }

/** Finds clients by the documents that their ids name. */
export type ClientDocuments = {
  /** @throws OAuthError invalid_client when the document cannot be had or is not one */
  find(id: string): Promise<Client>
}

const bounds = { timeoutMs: 5_000, maxBytes: 5_120 }
const cache = { entries: 1_000, leastSec: 30, mostSec: 86_400, otherwiseSec: 300 }
const mostChars = 2_000

/** Whether a client id claims to be the URL of a document. */
export function namesDocument(id: string): boolean {
  return /^https?:/i.test(id)
}

/** Documents are kept as long as they say, within 30 s and a day; a failure is never kept. */
export function createClientDocuments({ documents, now }: ClientDocumentsDeps): ClientDocuments {
  const kept = new Map<string, { readonly client: Client; readonly until: number }>()
  return {
    async find(id) {
      const known = kept.get(id)
      if (known !== undefined && known.until > now().getTime()) return known.client
      kept.delete(id)
      const { client, keepSec } = await read(documents, id)
      kept.set(id, { client, until: now().getTime() + keepSec * 1_000 })
      const oldest = kept.size > cache.entries ? kept.keys().next() : undefined
      if (oldest?.done === false) kept.delete(oldest.value)
      return client
    },
  }
}

async function read(
  documents: DocumentFetcher,
  id: string,
): Promise<{ readonly client: Client; readonly keepSec: number }> {
  const fault = idFault(id)
  if (fault !== undefined) throw refused(`client_id ${fault}`)
  const answer = await documents.fetch(id, bounds).catch((cause: unknown) => {
    throw refused('the metadata document could not be fetched from a public address', cause)
  })
  if (answer.status !== 200) throw refused('the metadata document did not answer with status 200')
  if (answer.isCut) throw refused(`the metadata document is larger than ${String(bounds.maxBytes)} bytes`)
  if (!/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(answer.contentType))
    throw refused('the metadata document is not served as JSON')
  const fields = parse(answer.body)
  if (fields['client_id'] !== id) throw refused('the metadata document names another client_id than its own URL')
  const method = fields['token_endpoint_auth_method']
  if (method !== undefined && method !== 'none') throw refused('token_endpoint_auth_method must be none')
  if ('client_secret' in fields || 'client_secret_expires_at' in fields) throw refused('a client here holds no secret')
  try {
    return {
      client: { id, host: new URL(id).host, ...readClientMetadata(fields) },
      keepSec: keepSec(answer.cacheControl),
    }
  } catch (cause) {
    throw refused(cause instanceof OAuthError ? cause.message : 'the metadata document is not one', cause)
  }
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Readonly<Record<string, unknown>> // an object, looked at a moment ago
  } catch (cause) {
    throw refused('the metadata document is not JSON', cause)
  }
  throw refused('the metadata document is no JSON object')
}

function idFault(id: string): string | undefined {
  if (id.length > mostChars) return 'is longer than 2000 characters'
  if (/[^\x21-\x7e]|\\/.test(id) || !URL.canParse(id)) return 'is no URL'
  const url = new URL(id)
  if (url.protocol !== 'https:') return 'must be an https URL'
  if (id.includes('#')) return 'has a fragment'
  if (url.username !== '' || url.password !== '' || /^https:\/\/[^/?]*@/i.test(id)) return 'has a user'
  if (url.pathname === '/') return 'must have a path'
  // As written: a parser takes dot segments away, and two spellings would be one client.
  const path = id.replace(/^https:\/\/[^/?]*/i, '').split('?', 1)[0] ?? ''
  return path.split('/').some((part) => /^(?:\.|%2e){1,2}$/i.test(part)) ? 'has a dot segment' : undefined
}

function keepSec(cacheControl: string): number {
  if (/\bno-(?:store|cache)\b/i.test(cacheControl)) return cache.leastSec
  const given = /\bmax-age\s*=\s*"?(\d{1,9})/i.exec(cacheControl)?.[1]
  return Math.min(cache.mostSec, Math.max(cache.leastSec, given === undefined ? cache.otherwiseSec : Number(given)))
}

function refused(description: string, cause?: unknown): OAuthError {
  return new OAuthError('invalid_client', description, cause)
}
