import { privateKeySigner, type Hex, type TypedData } from '@ergon/protocols'
import type { BrowserContext } from 'playwright-core'

/** A wallet as an extension puts it into every page of a browser (EIP-6963, EIP-1193); its key stays outside. */
export type InjectedWallet = { readonly name: string; readonly address: string }

/**
 * What a wallet does by method instead of what is asked of it; what it answers is its answer, `rejects` what it throws.
 */
export type Moods = Map<string, () => Promise<unknown>>

export async function injectWallet(
  context: BrowserContext,
  key: Hex,
  chainId: number,
  moods: Moods = new Map(),
): Promise<InjectedWallet> {
  const signer = privateKeySigner(key)
  const name = 'Browser wallet'
  await context.exposeFunction('askWallet', (method: string, params: readonly string[] = []): unknown => {
    const mood = moods.get(method)
    if (mood !== undefined) return mood()
    if (method === 'eth_requestAccounts' || method === 'eth_accounts') return [signer.address]
    if (method === 'eth_chainId') return `0x${chainId.toString(16)}`
    if (method === 'personal_sign') return signer.signMessage(Buffer.from((params[0] ?? '').slice(2), 'hex').toString())
    if (method !== 'eth_signTypedData_v4') throw new Error(`this wallet does not know ${method}`)
    const { types, ...rest } = JSON.parse(params[1] ?? '') as TypedData // what wallets are given
    const { EIP712Domain: _domain, ...own } = types
    return signer.signTypedData({ ...rest, types: own })
  })
  await context.addInitScript((called) => {
    // Exposed above.
    const askWallet = Reflect.get(window, 'askWallet') as (method: string, params: unknown) => Promise<unknown>
    const provider = {
      async request({ method, params }: { readonly method: string; readonly params?: unknown }) {
        const said = await askWallet(method, params)
        // Wallets throw plain objects, and some nothing at all.
        if (typeof said === 'object' && said !== null && 'rejects' in said) throw said.rejects
        return said
      },
      on: () => undefined,
      removeListener: () => undefined,
    }
    const info = { uuid: 'of-this-browser', name: called, icon: '', rdns: 'org.example.wallet' }
    const announce = (): boolean =>
      window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info, provider }) }))
    window.addEventListener('eip6963:requestProvider', announce)
    announce()
  }, name)
  return { name, address: signer.address }
}
