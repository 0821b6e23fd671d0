import { caip10, parseCaip10, type Address } from '@ergon/protocols'
import { openText, sealText } from './digests.ts'

export type Account = { readonly address: Address; readonly chainId: number }

/** Spec §8: remembered consent, 7 days. */
export const rememberedSec = 604_800

const purpose = 'remembered wallet'
const mostChars = 4_096

/** What a browser keeps of a wallet that proved itself for a client. Nothing extends it (spec §5, OAuth 8). */
export function sealRemembered(key: Uint8Array, clientId: string, account: Account, now: Date): string {
  const until = now.getTime() + rememberedSec * 1_000
  return sealText(key, purpose, JSON.stringify([clientId, caip10(account.chainId, account.address), until]))
}

/** The wallet, or undefined when it is forged, over, or was proven for another client. */
export function openRemembered(
  key: Uint8Array,
  clientId: string,
  sealed: string | undefined,
  now: Date,
): Account | undefined {
  const text = sealed === undefined || sealed.length > mostChars ? undefined : openText(key, purpose, sealed)
  if (text === undefined) return undefined
  const [ofClient, account, until] = JSON.parse(text) as readonly [string, string, number] // ours: the MAC says so
  if (ofClient !== clientId || until <= now.getTime()) return undefined
  const { address, chainId } = parseCaip10(account)
  // Only EVM accounts are sealed.
  return chainId === undefined ? undefined : { address: address as Address, chainId }
}
