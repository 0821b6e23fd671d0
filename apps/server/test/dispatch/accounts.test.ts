import { MarketError } from '@ergon/core'
import { describe, expect, test } from 'vitest'
import { createAccounts, type AccountBook } from '../../src/dispatch/accounts.ts'

/** A book with one account in it, or none; what it is asked is noted. */
function openBook(known: Awaited<ReturnType<AccountBook['find']>> = null, keeps = true) {
  const asked: string[] = []
  const accounts = createAccounts({
    find: (wallet) => {
      asked.push(`find ${wallet}`)
      return Promise.resolve(known)
    },
    begin: (wallet, proof) => {
      asked.push(`begin ${wallet} ${proof}`)
      return Promise.resolve(known ?? { proof, hasActed: false })
    },
    keep: (wallet) => {
      asked.push(`keep ${wallet}`)
      return keeps ? Promise.resolve() : Promise.reject(new Error('the database is gone'))
    },
  })
  return { accounts, asked }
}

const byKey = { wallet: 'ada', proof: 'key' } as const
const byContract = { wallet: 'ada', proof: 'contract@eip155:1' } as const
const differs = expect.objectContaining({
  code: 'ACCOUNT_PROOF_DIFFERS',
  details: { wallet: 'ada', account: 'key', given: 'contract@eip155:1' },
}) as Error
const done = () => Promise.resolve('done')

describe('an account has one proof', () => {
  test('nobody is known before the first act, and whoever is known otherwise is refused', async () => {
    expect(await openBook().accounts.check(byContract)).toBe(undefined)
    expect(await openBook().accounts.proofOf('ada')).toBe(null)
    const { accounts } = openBook({ proof: 'key', hasActed: false })
    expect(await accounts.proofOf('ada')).toBe('key')
    await accounts.check(byKey)
    await expect(accounts.check(byContract)).rejects.toThrow(differs)
    await expect(accounts.acting(byContract, done)).rejects.toThrow(differs)
  })

  test('the first act that takes effect writes it down: begun before, kept after', async () => {
    const { accounts, asked } = openBook()
    const act = () => {
      asked.push('act')
      return done()
    }
    expect(await accounts.acting(byKey, act)).toBe('done')
    expect(asked).toEqual(['begin ada key', 'act', 'keep ada'])
  })

  test('an act that was refused writes nothing down, and one that nobody knows the end of does', async () => {
    const refused = openBook()
    const refusal = new MarketError('TASK_NOT_FOUND')
    await expect(refused.accounts.acting(byKey, () => Promise.reject(refusal))).rejects.toBe(refusal)
    expect(refused.asked).toEqual(['begin ada key'])
    for (const fault of [new Error('gone'), new MarketError('INTERNAL'), new MarketError('SERVICE_BUSY')]) {
      const unknown = openBook(null, fault.message !== 'gone')
      await expect(unknown.accounts.acting(byKey, () => Promise.reject(fault))).rejects.toBe(fault)
      expect(unknown.asked).toEqual(['begin ada key', 'keep ada'])
    }
  })

  test('an act that is done is answered as such when it could not be noted', async () => {
    expect(await openBook(null, false).accounts.acting(byKey, done)).toBe('done')
  })
})

describe('what stays as it is is asked for once', () => {
  const acted = { proof: 'key', hasActed: true } as const

  test.each<[string, (accounts: ReturnType<typeof createAccounts>) => Promise<unknown>]>([
    ['by a check', (accounts) => accounts.check(byKey)],
    ['by a look', (accounts) => accounts.proofOf('ada')],
    ['by an act', (accounts) => accounts.acting(byKey, done)],
  ])('%s', async (_how, first) => {
    const { accounts, asked } = openBook(acted)
    await first(accounts)
    expect(asked).toHaveLength(1)
    await accounts.check(byKey)
    expect(await accounts.proofOf('ada')).toBe('key')
    expect(await accounts.acting(byKey, done)).toBe('done')
    expect(asked).toHaveLength(1)
    await expect(accounts.check(byContract)).rejects.toThrow(differs)
    await expect(accounts.acting(byContract, done)).rejects.toThrow(differs)
  })

  test('what may still change is asked for again', async () => {
    const { accounts, asked } = openBook({ proof: 'key', hasActed: false })
    for (let round = 0; round < 2; round += 1) {
      await accounts.check(byKey)
      await accounts.proofOf('ada')
      await accounts.acting(byKey, done)
    }
    expect(asked).toEqual([1, 2].flatMap(() => ['find ada', 'find ada', 'begin ada key', 'keep ada']))
  })
})
