import { mintTestUsd } from '@ergon/contracts'
import { generatePrivateKey, lowerAddress, type Hex } from '@ergon/protocols'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startConstellation, type Constellation } from '../constellation/constellation.ts'
import { drawPicture } from '../demo/picture.ts'
import { follow, type Followed } from './follow/follow.ts'
import { readSkill, type Skill } from './follow/read-skill.ts'
import { at } from './follow/values.ts'

/** Jobs that are done from /SKILL.md alone, by a program that knows its notation and nothing of the service. */

const patienceMs = 180_000

async function fetchedSkill(constellation: Constellation): Promise<Skill> {
  return readSkill(await (await fetch(new URL('/SKILL.md', constellation.record().serverUrl))).text())
}

type Played = {
  readonly publisher: Followed
  readonly executor: Followed
  /** What both wallets hold afterwards, in dollars. */
  readonly left: readonly [publisher: number, executor: number]
}

const dollars = async (constellation: Constellation, key: Hex): Promise<number> => {
  const url = new URL(`/api/v1/payments/balance/${privateKeyToAccount(key).address}`, constellation.record().serverUrl)
  return Number(at(await (await fetch(url)).json(), '/balances/0/balance_usd'))
}

async function play(constellation: Constellation, skill: Skill, route: string): Promise<Played> {
  const [buyer, worker] = [generatePrivateKey(), generatePrivateKey()]
  await mintTestUsd(constellation.record().rpcUrl, lowerAddress(privateKeyToAccount(buyer).address), 1_000_000n)
  const files = { photo: new Uint8Array(drawPicture(route)) }
  const [publisher, executor] = await Promise.all([
    follow(skill, route, 'publisher', { key: buyer, files }),
    follow(skill, route, 'executor', { key: worker, files }),
  ])
  return { publisher, executor, left: [await dollars(constellation, buyer), await dollars(constellation, worker)] }
}

/** Members that an example shows and the answer itself does not have, by their pointer. */
function untrue(example: unknown, real: unknown, pointer = ''): readonly string[] {
  if (real === null || real === undefined || typeof example !== 'object' || example === null) return []
  const isList = Array.isArray(example)
  if (isList !== Array.isArray(real)) return [pointer]
  return Object.entries(example).flatMap(([name, one]) => {
    if (isList) return untrue(one, at(real, `/${name}`), `${pointer}/${name}`)
    return at(real, `/${name}`) === undefined
      ? [`${pointer}/${name}`]
      : untrue(one, at(real, `/${name}`), `${pointer}/${name}`)
  })
}

describe('with escrow', () => {
  let constellation: Constellation
  let skill: Skill
  beforeAll(async () => {
    constellation = await startConstellation({ ephemeral: true })
    skill = await fetchedSkill(constellation)
  }, patienceMs)
  afterAll(() => constellation.stop())

  test(
    'both sides of a job are done: locked, handed in with a file, paid and rated',
    async () => {
      const { publisher, executor, left } = await play(constellation, skill, 'paid')
      expect(left).toEqual([0, 0.87])
      expect(at(publisher.answers.get('lock'), '/escrow_status')).toBe('authorized')
      expect(at(publisher.answers.get('pay'), '/payment_mode')).toBe('fase2')
      expect(at(executor.answers.get('approved'), '/status')).toBe('completed')
      expect(at(executor.answers.get('earnings'), '/payments/0/payout_usd')).toBe(0.87)
      for (const rating of [publisher.answers.get('rate-executor'), executor.answers.get('rate-publisher')])
        expect(rating).toMatchObject({ transaction_hash: expect.stringMatching(/^0x/) })
      for (const [name, answer] of [...publisher.answers, ...executor.answers])
        expect(untrue(skill.step(name).example, answer), `the example of ${name}`).toEqual([])
    },
    patienceMs,
  )

  test(
    'changes are asked for, and the work is paid',
    async () => {
      const { publisher, executor } = await play(constellation, skill, 'changed')
      expect(at(publisher.answers.get('ask-again'), '/task_status')).toBe('in_progress')
      expect(at(executor.answers.get('approved'), '/status')).toBe('completed')
    },
    patienceMs,
  )

  test(
    'work is rejected, and the executor says its side',
    async () => {
      const { publisher, executor } = await play(constellation, skill, 'rejected')
      expect(at(executor.answers.get('statement'), '/dispute_id')).toBe(
        at(publisher.answers.get('reject'), '/dispute/id'),
      )
    },
    patienceMs,
  )

  test(
    'the executor steps down, and the publisher has its money back',
    async () => {
      const { publisher, executor, left } = await play(constellation, skill, 'stepped-down')
      expect(left).toEqual([1, 0])
      expect(at(executor.answers.get('step-down'), '/task_id')).toBe(at(publisher.answers.get('publish'), '/id'))
      expect(publisher.answers.get('refunded')).toMatchObject({ status: 'cancelled' })
    },
    patienceMs,
  )
})

test(
  'without escrow the same file is followed: the payment is signed when the work is approved',
  async () => {
    await using constellation = await startConstellation({ ephemeral: true, paymentMode: 'fase1' })
    const { publisher, left } = await play(constellation, await fetchedSkill(constellation), 'paid')
    expect(publisher.sent).not.toContain('lock-challenge')
    expect(at(publisher.answers.get('pay'), '/payment_mode')).toBe('fase1')
    expect(left).toEqual([0, 0.87])
  },
  patienceMs,
)
