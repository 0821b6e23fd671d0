import {
  createContext,
  use,
  useCallback,
  useEffect,
  useMemo,
  useState,
  useSyncExternalStore,
  type ReactNode,
} from 'react'
import { ErgonError, type Client, type Output, type Signer } from '@ergon/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { dropDrafts, ownDrafts } from '../lib/draft-owner.ts'
import { onDevice } from '../lib/kept.ts'
import { keepWallet, readKeptWallet, refuseOtherSession } from '../lib/kept-wallet.ts'
import { useMarket, useRead } from '../lib/market.tsx'
import { isOfNobody, useSignInDesk } from '../lib/signing-in-again.tsx'
import { askPerson, askQuietly } from './ask-wallet.ts'
import { isDeclined } from './declined.ts'
import { isOwnWallet, type DiscoveredWallet, type WalletDiscovery } from './discovery.ts'
import { hearWallet, readAccounts } from './hear-wallet.ts'
import { OtherAccount } from './other-account.ts'
import { useFollowingTabs } from './session-of-browser.ts'
import type { Intent, SigningDesk, SigningRequest } from './signing.ts'
import { failureOf, WalletFailed } from './wallet-failed.ts'

type Wallets = { readonly discovery: WalletDiscovery; readonly desk: SigningDesk }

const WalletsContext = createContext<Wallets | undefined>(undefined)
const lastWalletKey = 'ergon.wallet'

export function WalletsProvider({
  wallets,
  children,
}: {
  readonly wallets: Wallets
  readonly children: ReactNode
}): ReactNode {
  return <WalletsContext value={wallets}>{children}</WalletsContext>
}

function useWallets(): Wallets {
  const wallets = use(WalletsContext)
  if (wallets === undefined) throw new Error('there is no WalletsProvider above')
  return wallets
}

/** The wallets that announced themselves so far. */
export function useDiscoveredWallets(): readonly DiscoveredWallet[] {
  const { discovery } = useWallets()
  return useSyncExternalStore(discovery.subscribe, discovery.list)
}

/** Where wallets are found, for whoever has just made one. */
export function useDiscovery(): WalletDiscovery {
  return useWallets().discovery
}

/** The signature that waits to be agreed to. */
export function useSigningRequest(): SigningRequest | undefined {
  const { desk } = useWallets()
  return useSyncExternalStore(desk.subscribe, desk.current)
}

/** Whether nothing is left to be signed of what was begun: nothing is on its way before the last signature. */
export function useIsAllSigned(isSigned: boolean): boolean {
  return useSigningRequest() === undefined && isSigned
}

/** Who is signed in; `wallet` is null for a visitor and undefined while nobody knows yet. */
export type Session = {
  readonly wallet: string | null | undefined
  /**
   * The session of `wallet` has ended meanwhile: what is shown and typed stays, and no request is sent before the
   * person signs in again.
   */
  readonly isOver: boolean
  /** The person as a worker; null before the first work. */
  readonly workerId: string | null
  /** Where the picture of the person is; null: it shows none. */
  readonly picture: string | null
  readonly expiresAt: string | null
  /** The service did not say who is signed in, and is asked again. */
  readonly isUnread: boolean
}

const awayEveryMs = 10_000

/**
 * Once a page: what the service says about the session is what this browser remembers. While it does not answer, it
 * is asked again.
 */
export function useKeepingWallet(): void {
  const { data } = useRead(
    'auth.readSession',
    {},
    {
      staleTime: 60_000,
      refetchInterval: ({ state }) => (state.data === undefined && state.errorUpdateCount > 0 ? awayEveryMs : false),
    },
  )
  const { remember } = useSignInDesk()
  useEffect(() => {
    if (data === undefined) return
    const wallet = data.wallet?.toLowerCase() ?? null
    keepWallet(wallet)
    if (wallet === null) return
    ownDrafts(wallet)
    remember({ wallet, workerId: data.executor_id })
  }, [data, remember])
  const { desk } = useWallets()
  useFollowingTabs(useCallback(() => desk.current()?.refuse(), [desk]))
  const queries = useQueryClient()
  useEffect(() => {
    // A page that came without a network has failed to read, not paused; nothing else tells it that the network is
    // back.
    const again = (): void => {
      void queries.refetchQueries({
        type: 'active',
        predicate: ({ state: { data: known, error } }) =>
          known === undefined && error instanceof ErgonError && error.unanswered,
      })
    }
    window.addEventListener('online', again)
    return () => {
      window.removeEventListener('online', again)
    }
  }, [queries])
}

/**
 * The wallet of the last session that was confirmed here, while the network is away and nobody can be asked; else
 * undefined. It finds what this device keeps of that wallet and proves nothing: nothing is sent for it.
 */
export function useOfflineWallet(): string | undefined {
  const { data, error, fetchStatus, errorUpdateCount } = useRead('auth.readSession', {}, { staleTime: 60_000 })
  // Asking once more clears the error of the last time, and changes nothing yet.
  const isUnanswered = errorUpdateCount > 0 && (error === null || (error instanceof ErgonError && error.unanswered))
  return data === undefined && (fetchStatus === 'paused' || isUnanswered) ? (readKeptWallet() ?? undefined) : undefined
}

export function useSession(): Session {
  const { data, errorUpdateCount, fetchStatus } = useRead('auth.readSession', {}, { staleTime: 60_000 })
  const desk = useSignInDesk()
  const expiresAt = data?.expires_at ?? null
  if (data === undefined)
    return {
      isUnread: errorUpdateCount > 0 || fetchStatus === 'paused',
      wallet: undefined,
      isOver: false,
      workerId: null,
      picture: null,
      expiresAt,
    }
  const now = data.wallet === null ? null : { wallet: data.wallet.toLowerCase(), workerId: data.executor_id }
  const who = now ?? desk.last()
  return {
    isUnread: false,
    wallet: who?.wallet ?? null,
    isOver: now === null && who !== null,
    workerId: who?.workerId ?? null,
    picture: data.picture_url,
    expiresAt,
  }
}

/** The account that the wallet of this session shows, when it is not the one that is signed in. */
export function useOtherAccount(): string | undefined {
  const { discovery } = useWallets()
  const { wallet } = useSession()
  const found = useSyncExternalStore(discovery.subscribe, discovery.list)
  const [accounts, setAccounts] = useState<readonly string[]>()
  const rdns = typeof wallet === 'string' ? onDevice.read(lastWalletKey) : null
  // A wallet of the app has one account; to ask it loads what it signs with.
  const provider = found.find((one) => one.rdns === rdns && !isOwnWallet(one))?.provider
  useEffect(() => {
    if (provider === undefined) return
    let isHeard = false
    const hear = (said: unknown): void => {
      isHeard = true
      setAccounts(readAccounts(said))
    }
    const end = hearWallet(provider, 'accountsChanged', hear)
    // It may have gone there before the page was loaded; this asks the person nothing (EIP-1102).
    void askQuietly(provider, { method: 'eth_accounts' }).then((said) => {
      if (!isHeard) hear(said)
    })
    return () => {
      isHeard = true
      end()
    }
  }, [provider])
  return typeof wallet === 'string' && accounts !== undefined && accounts.length > 0 && !accounts.includes(wallet)
    ? accounts[0]
    : undefined
}

export type Wallet = {
  /** Signs a person in with one of the wallets of the page; until `given` is aborted, the wallet has time. */
  readonly signIn: (wallet: DiscoveredWallet, intent: Intent, given: AbortSignal) => Promise<Output<'auth.openSession'>>
  readonly signOut: () => Promise<void>
  /**
   * Does what moves money or changes an identity: each signature is explained by `intent` first. The session says who
   * calls. `onSigned`: from now on it may happen.
   */
  readonly act: <T>(intent: Intent, what: (client: Client) => Promise<T>, onSigned?: () => void) => Promise<T>
  /** The same for operations that no session opens: every request is signed by the wallet. */
  readonly actSigned: <T>(intent: Intent, what: (client: Client) => Promise<T>) => Promise<T>
}

/** The wallet that signed in last is not here. */
export class WalletMissing extends Error {
  override readonly name = 'WalletMissing'
}

/** A wallet that shows another account would ask for a signature that nobody takes. */
async function refuseOther({ provider }: DiscoveredWallet, account: string): Promise<void> {
  const accounts = readAccounts(await askQuietly(provider, { method: 'eth_accounts' }))
  const shown = accounts?.[0]
  if (shown !== undefined && accounts?.includes(account) === false) throw new OtherAccount(shown, account)
}

/** A wallet that went to another account between two signatures fails for that; what it says tells nobody. */
function sayingWhose(signer: Signer, wallet: DiscoveredWallet): Signer {
  const orOther = async <T,>(sign: () => Promise<T>): Promise<T> => {
    try {
      return await sign()
    } catch (cause) {
      if (!isDeclined(cause)) await refuseOther(wallet, signer.address)
      throw cause
    }
  }
  return {
    address: signer.address,
    signMessage: (message) => orOther(() => signer.signMessage(message)),
    signTypedData: (document) => orOther(() => signer.signTypedData(document)),
  }
}

/** Asks for the account that signs in. @throws SigningRefused or WalletFailed, whatever the wallet rejects with */
async function connect({ provider }: DiscoveredWallet, given: AbortSignal): Promise<string> {
  try {
    const [first] = readAccounts(await askPerson(provider, { method: 'eth_requestAccounts' }, given)) ?? []
    if (first !== undefined) return first
  } catch (cause) {
    throw given.aborted ? cause : failureOf(cause)
  }
  throw new WalletFailed('no account')
}

function missing(): never {
  throw new WalletMissing('the wallet of this session is not in this browser')
}

/**
 * The wallet that signed in last. Where this browser does not tell any more, the one that shows the account: what a
 * wallet is called proves nothing, and its signature does.
 * @throws WalletMissing or OtherAccount
 */
async function walletOf(found: readonly DiscoveredWallet[], account: string): Promise<DiscoveredWallet> {
  const wallet = (await foundBy(found, account)) ?? missing()
  await refuseOther(wallet, account)
  return wallet
}

async function foundBy(found: readonly DiscoveredWallet[], account: string): Promise<DiscoveredWallet | undefined> {
  const rdns = onDevice.read(lastWalletKey)
  if (rdns !== null) return found.find((one) => one.rdns === rdns)
  const shown = await Promise.all(
    found.map(async ({ provider }) => readAccounts(await askQuietly(provider, { method: 'eth_accounts' }))),
  )
  return found.find((_, at) => shown[at]?.includes(account))
}

export function useWallet(): Wallet {
  const { discovery, desk } = useWallets()
  const queries = useQueryClient()
  const market = useMarket()
  const session = useSession()
  const { ask, last, remember } = useSignInDesk()
  const client = useCallback(
    async (
      wallet: DiscoveredWallet,
      account: string,
      intent: Intent,
      inSession: boolean,
      onSigned?: () => void,
    ): Promise<Client> => {
      const { checkedClient, signerOf } = await import('./checked-client.ts')
      const signer = sayingWhose(await signerOf(wallet.provider, account), wallet)
      const explained = desk.explaining(signer, intent, onSigned, wallet.provider)
      return checkedClient(market.transport.baseUrl, explained, inSession)
    },
    [desk, market],
  )
  return useMemo<Wallet>(() => {
    const ofSession = async (intent: Intent, inSession: boolean, onSigned?: () => void): Promise<Client> => {
      refuseOtherSession(last()?.wallet)
      const account = session.wallet ?? missing()
      return client(await walletOf(discovery.list(), account), account, intent, inSession, onSigned)
    }
    return {
      async signIn(wallet, intent, given) {
        const opened = await (
          await client(wallet, await connect(wallet, given), intent, true)
        ).signIn({ origin: location.origin })
        onDevice.keep(lastWalletKey, wallet.rdns)
        ownDrafts(opened.wallet.toLowerCase())
        // The other tabs hear of it.
        keepWallet(opened.wallet.toLowerCase())
        // Whatever was read as a visitor may look different to its owner; who comes back finds the screen as it was.
        await (opened.wallet.toLowerCase() === last()?.wallet ? queries.invalidateQueries() : queries.resetQueries())
        return opened
      },
      async signOut() {
        // Also when the service cannot be told.
        keepWallet(null)
        remember(null)
        dropDrafts()
        await market.auth.closeSession()
        // What was read as this person is forgotten; what is on the screen is asked again as a visitor.
        queries.removeQueries({ type: 'inactive' })
        await queries.resetQueries()
      },
      async act(intent, what, onSigned) {
        let isSigned = false
        const once = async () =>
          what(
            await ofSession(intent, true, () => {
              isSigned = true
              onSigned?.()
            }),
          )
        try {
          return await once()
        } catch (error) {
          // What was signed may be on its way: that is looked at before anything is signed again.
          if (isSigned || !isOfNobody(error) || !(await ask())) throw error
          return once()
        }
      },
      actSigned: async (intent, what) => what(await ofSession(intent, false)),
    }
  }, [discovery, session.wallet, client, queries, market, ask, last, remember])
}
