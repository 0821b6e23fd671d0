import { createClient, eip1193Signer, type Client, type Eip1193Provider, type Signer } from '@ergon/sdk'
import { signingNow } from '../lib/clock.ts'

// Loaded when a wallet is first used: a reader of tasks does not pay for the checks of signatures.

/** A client that signs with a wallet, checked by the SDK before each signature. */
export function checkedClient(origin: string, signer: Signer, session: boolean): Client {
  return createClient({ baseUrl: origin, signer, session, now: signingNow })
}

export function signerOf(provider: Eip1193Provider, account: string): Promise<Signer> {
  return eip1193Signer(provider, account)
}
