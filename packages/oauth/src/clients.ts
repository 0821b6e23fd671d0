import { createClientDocuments, namesDocument } from './client-documents.ts'
import { readClientMetadata } from './client-metadata.ts'
import { OAuthError } from './oauth-error.ts'
import type { Client, Clock, DocumentFetcher, OAuthStore, RegisteredClient } from './ports.ts'

export type Clients = {
  /** By its metadata document or its registration. @throws OAuthError invalid_client */
  find(id: string): Promise<Client>
  /**
   * Registers a public client (RFC 7591), whatever authentication it asks for. @throws OAuthError for fields that are
   * not good, temporarily_unavailable when `from` or all together registered too many today
   */
  register(fields: Readonly<Record<string, unknown>>, from: string): Promise<Readonly<Record<string, unknown>>>
  /** What a registered client was told; null when there is none. */
  registration(id: string): Promise<Readonly<Record<string, unknown>> | null>
}

export type ClientsDeps = {
  readonly store: Pick<OAuthStore, 'putClient' | 'findClient'>
  readonly documents: DocumentFetcher
  readonly issuer: string
  readonly nextId: () => string
  readonly now: Clock
}

export function createClients({ store, documents, issuer, nextId, now }: ClientsDeps): Clients {
  const byDocument = createClientDocuments({ documents, now })
  const registered = (id: string): Promise<RegisteredClient | null> =>
    /^[\w-]{1,64}$/.test(id) ? store.findClient(id) : Promise.resolve(null)
  const describe = ({ id, name, redirectUris, createdAt }: RegisteredClient): Readonly<Record<string, unknown>> => ({
    client_id: id,
    client_id_issued_at: Math.floor(createdAt.getTime() / 1_000),
    client_name: name,
    redirect_uris: redirectUris,
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    registration_client_uri: `${issuer}/oauth/register/${id}`,
  })
  return {
    async find(id) {
      if (namesDocument(id)) return byDocument.find(id)
      const client = await registered(id)
      if (client === null) throw new OAuthError('invalid_client', 'client_id is unknown here: register it first')
      return { ...client, host: null }
    },
    async register(fields, from) {
      const client = { id: nextId(), createdAt: now(), ...readClientMetadata(fields) }
      if (!(await store.putClient(client, from)))
        throw new OAuthError('temporarily_unavailable', 'too many clients were registered today: try again tomorrow')
      return describe(client)
    },
    async registration(id) {
      const client = await registered(id)
      return client === null ? null : describe(client)
    },
  }
}
