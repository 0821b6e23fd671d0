import { setTimeout as sleep } from 'node:timers/promises'
import { createClient, type Client } from '@ergon/sdk'
import type { Theatre } from './browser.ts'

const patienceMs = 30_000

/** The operator of a constellation, by its key. */
export function operatorOf({ constellation }: Theatre): Client {
  const { adminKeys, serverUrl = '' } = constellation.record()
  return createClient({ baseUrl: serverUrl, adminKey: adminKeys.server })
}

/** The operator lets a wallet rule, beside those it named before, and the service knows. */
export async function nameArbiter(theatre: Theatre, address: string): Promise<void> {
  const operator = operatorOf(theatre)
  const wallet = address.toLowerCase()
  const { arbiters } = await operator.disputes.arbiters({})
  const value = [...arbiters, wallet].join(',')
  await operator.admin.changeConfig({ key: 'disputes.arbiters', value, reason: 'Knows gates.' })
  const end = Date.now() + patienceMs
  while (!(await operator.disputes.arbiters({})).arbiters.includes(wallet)) {
    if (Date.now() > end) throw new Error(`${wallet} is no arbiter yet`)
    await sleep(100)
  }
}
