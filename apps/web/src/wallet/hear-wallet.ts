import type { Eip1193Provider } from '@ergon/sdk'

type Listener = (said: unknown) => void
/** A wallet also tells what changes in it (EIP-1193 §events); some do not. */
type Listening = Eip1193Provider & {
  readonly on?: (event: string, listener: Listener) => unknown
  readonly removeListener?: (event: string, listener: Listener) => unknown
}

/** Hears one event of a wallet until the result is called. */
export function hearWallet(
  provider: Eip1193Provider,
  event: 'chainChanged' | 'accountsChanged',
  listener: Listener,
): () => void {
  const { on, removeListener } = provider as Listening
  if (typeof on !== 'function') return () => undefined
  on.call(provider, event, listener)
  return () => {
    removeListener?.call(provider, event, listener)
  }
}

/** The accounts of a wallet that this page may use, in lower case; undefined for a wallet that does not say. */
export function readAccounts(said: unknown): readonly string[] | undefined {
  return Array.isArray(said) && said.every((one) => typeof one === 'string')
    ? said.map((one) => one.toLowerCase())
    : undefined
}
