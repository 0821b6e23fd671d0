import { isLoopback } from '@ergon/protocols'

/** Apps whose own browser opens a page by a link, and then offers their wallet to it (EIP-6963). */
export const walletApps = [
  // Its link takes the address bare: without scheme, and not encoded.
  { name: 'MetaMask', href: ({ host, path }: Place) => `https://link.metamask.io/dapp/${host}${path}` },
  {
    name: 'Coinbase Wallet',
    href: ({ origin, path }: Place) => `https://go.cb-w.com/dapp?cb_url=${encodeURIComponent(`${origin}${path}`)}`,
  },
  {
    name: 'OKX Wallet',
    href: ({ origin, path }: Place) =>
      `https://web3.okx.com/download?deeplink=${encodeURIComponent(
        `okx://wallet/dapp/url?dappUrl=${encodeURIComponent(`${origin}${path}`)}`,
      )}`,
  },
] as const

export type Place = { readonly origin: string; readonly host: string; readonly path: string }

/** Where a person goes on: the way in, and from there to where they were. Nothing of the session is in it. */
export function placeToGoOn({ origin, host }: Pick<Location, 'origin' | 'host'>, then: string | undefined): Place {
  const isOurs = then !== undefined && /^\/(?!\/)/.test(then) && then.length <= 500
  return { origin, host, path: `/sign-in${isOurs ? `?then=${encodeURIComponent(then)}` : ''}` }
}

/** Whether only this machine reaches the page: to browsers every name under `localhost` is one of it. */
export const isOfThisMachine = (hostname: string): boolean => isLoopback(hostname) || hostname.endsWith('.localhost')
