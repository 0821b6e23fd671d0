import { featureOf, runConfigKeys, type RunConfig } from '@ergon/contract'
import { closedIn, requireSound, type AdminStore, type RunChanges } from '@ergon/core'
import type { Gate } from '../dispatch/checks/check.ts'
import type { LimitSettings } from '../dispatch/limits.ts'

/** What the admin key changed, as this process has it in mind. */
export type LiveSettings = AsyncDisposable &
  Gate & {
    /** As the deployment set it. */
    readonly defaults: RunConfig
    config(): RunConfig
    /** Read anew at each use. */
    readonly rates: LimitSettings
    /** Resolves when all that was committed before the call is in mind. */
    refresh(): Promise<void>
  }

export type LiveSettingsDeps = {
  readonly store: Pick<AdminStore, 'adminVersion' | 'bannedWallets' | 'runChanges'>
  readonly defaults: RunConfig
  readonly onError: (error: unknown) => void
  readonly intervalMs?: number
}

/** Two seconds is how long another process may take to know; half of it leaves room for a slow answer. */
const intervalDefault = 1_000

/**
 * Looks at one number again and again, and reads bans and settings when it moved (decisions 0057, 0058). While the
 * database cannot be asked, what was known stays true. @throws when the first look fails: nobody is let in unknown.
 */
export async function startLiveSettings({
  store,
  defaults,
  onError,
  intervalMs = intervalDefault,
}: LiveSettingsDeps): Promise<LiveSettings> {
  let known: { readonly version: bigint; readonly banned: ReadonlySet<string> } | undefined
  let config = defaults
  const look = async (): Promise<void> => {
    // Asked first: what is read after it is at least as new.
    const version = await store.adminVersion()
    if (known?.version === version) return
    const [banned, changes] = await Promise.all([store.bannedWallets(), store.runChanges()])
    config = applied(defaults, changes, onError)
    known = { version, banned: new Set(banned) }
  }
  let turn = look()
  await turn
  const refresh = (): Promise<void> => (turn = turn.catch(() => undefined).then(look))

  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  const again = (): void => {
    if (!isStopped)
      timer = setTimeout(() => {
        void refresh().catch(onError).then(again)
      }, intervalMs)
  }
  again()
  return {
    defaults,
    isBanned: (wallet) => known?.banned.has(wallet) === true,
    isOff(section) {
      const feature = featureOf(section)
      return feature !== undefined && !config[feature]
    },
    config: () => config,
    rates: {
      get anonymousPerMinute() {
        return config['rates.anonymous_per_minute']
      },
      get walletPerMinute() {
        return config['rates.wallet_per_minute']
      },
      get publishPerHour() {
        return config['rates.publish_per_hour']
      },
    },
    refresh,
    async [Symbol.asyncDispose]() {
      isStopped = true
      clearTimeout(timer)
      await turn.catch(() => undefined)
    },
  }
}

/** A change may contradict what the deployment was set to since: then the deployment has the last word. */
function applied(defaults: RunConfig, changes: RunChanges, onError: (error: unknown) => void): RunConfig {
  const ours: RunChanges = Object.fromEntries(
    Object.entries(changes).filter(([key]) => runConfigKeys.some((one) => one === key)),
  )
  try {
    return requireSound(defaults, ours)
  } catch (error) {
    onError(error)
    return {
      ...defaults,
      ...ours,
      'bounty.min_usd': defaults['bounty.min_usd'],
      'bounty.max_usd': defaults['bounty.max_usd'],
      'networks.closed': closedIn(defaults, ours),
    }
  }
}
