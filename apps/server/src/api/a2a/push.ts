import { a2aLimits } from '@ergon/contract'
import {
  type AdminCaller,
  type Caller,
  type Market,
  MarketError,
  type PushConfig,
  type PushConfigs,
  type WalletCaller,
} from '@ergon/core'
import type { PushAnswers } from '../../dispatch/a2a-answers.ts'

export type PushDeps = {
  readonly market: Pick<Market, 'readTask' | 'eventHorizon'>
  readonly configs: PushConfigs
  /** What is wrong with an address, in words; null when it may be asked. */
  readonly faultOf: (url: string) => string | null
}

type Json = Readonly<Record<string, unknown>>

/** Where agents have updates posted: each wallet sees and changes its own. */
export function createPushAnswers({ market, configs, faultOf }: PushDeps): PushAnswers {
  return {
    async set({ caller }, taskId, given) {
      const { wallet } = walletOf(caller)
      await market.readTask(walletOf(caller), taskId)
      const config = readConfig(given, taskId, wallet)
      const fault = faultOf(config.url)
      if (fault !== null)
        throw new MarketError('VALIDATION_FAILED', { field: 'pushNotificationConfig.url', constraint: fault })
      if (!(await configs.put(config, await market.eventHorizon(), a2aLimits.pushConfigsEach))) {
        throw new MarketError('VALIDATION_FAILED', {
          field: 'pushNotificationConfig',
          constraint: `at most ${String(a2aLimits.pushConfigsEach)} of a wallet`,
        })
      }
      return shown(config)
    },
    async get({ caller }, taskId, id) {
      const all = await configs.list(taskId, walletOf(caller).wallet)
      const found = id === null ? all[0] : all.find((one) => one.id === id)
      if (found === undefined)
        throw new MarketError('TASK_NOT_FOUND', {}, { message: 'You have no such push configuration for this task.' })
      return shown(found)
    },
    list: async ({ caller }, taskId) => (await configs.list(taskId, walletOf(caller).wallet)).map(shown),
    async remove({ caller }, taskId, id) {
      if (!(await configs.remove({ taskId, wallet: walletOf(caller).wallet, id })))
        throw new MarketError('TASK_NOT_FOUND', {}, { message: 'You have no such push configuration for this task.' })
    },
  }
}

function walletOf(caller: Caller | AdminCaller): WalletCaller {
  if (caller.kind !== 'wallet') throw new MarketError('UNAUTHORIZED')
  return caller
}

/** Its shape was checked. */
function readConfig(given: Json, taskId: string, wallet: string): PushConfig {
  const { id, url, token, authentication } = given as {
    readonly id?: string
    readonly url: string
    readonly token?: string
    readonly authentication?: { readonly schemes: readonly string[]; readonly credentials?: string }
  }
  return {
    taskId,
    wallet,
    id: id ?? taskId,
    url,
    token: token ?? null,
    schemes: authentication?.schemes ?? [],
    credentials: authentication?.credentials ?? null,
  }
}

/** Credentials are kept and not shown again. */
function shown({ taskId, id, url, token, schemes }: PushConfig): Json {
  return {
    taskId,
    pushNotificationConfig: {
      id,
      url,
      ...(token === null ? {} : { token }),
      ...(schemes.length === 0 ? {} : { authentication: { schemes } }),
    },
  }
}
