import { randomUUID } from 'node:crypto'
import type { OAuthDiscoveryState } from '@modelcontextprotocol/client'

type Tokens = {
  access_token: string
  token_type: string
  expires_in?: number
  scope?: string
  refresh_token?: string
}

/** What a host keeps of one server, as the clients ask for it. */
export class HostMemory {
  readonly redirectUrl = 'http://127.0.0.1:33418/callback'
  readonly clientMetadata = { client_name: 'Tool host', redirect_uris: [this.redirectUrl] }
  kept: Tokens | undefined
  opened: URL | undefined
  #client: { client_id: string } | undefined
  #verifier = ''
  #discovered: OAuthDiscoveryState | undefined
  readonly states: string[] = []

  state(): string {
    this.states.push(randomUUID())
    return this.states.at(-1) ?? ''
  }
  clientInformation(): { client_id: string } | undefined {
    return this.#client
  }
  saveClientInformation(client: { client_id: string }): void {
    this.#client = client
  }
  tokens(): Tokens | undefined {
    return this.kept
  }
  saveTokens(tokens: Tokens): void {
    this.kept = tokens
  }
  redirectToAuthorization(url: URL): void {
    this.opened = url
  }
  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier
  }
  codeVerifier(): string {
    return this.#verifier
  }
  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.#discovered = state
  }
  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#discovered
  }
  invalidateCredentials(what: string): void {
    if (what === 'all' || what === 'tokens') this.kept = undefined
  }
}
