import { MarketError } from '@ergon/core'
import { expect, test } from 'vitest'
import { personBehind } from '../../src/dispatch/person-behind.ts'
import { ada, home, requestOf } from './one-call.ts'

function pageOf(isKnown = true, refuses = false) {
  const read: string[] = []
  const people = {
    read: ({ method }: { readonly method: string }) => {
      read.push(method)
      return Promise.resolve(isKnown ? { wallet: ada, chainId: 1, proof: 'key' as const } : null)
    },
    allows: (origin: string | undefined) => origin === home,
  }
  const check = (): Promise<void> =>
    refuses ? Promise.reject(new MarketError('ACCOUNT_PROOF_DIFFERS')) : Promise.resolve()
  const accounts = {
    check,
    proofOf: () => Promise.resolve(null),
    acting: async <T>(_p: unknown, act: () => Promise<T>) => act(),
  }
  const ask = (method: string, ...headers: (readonly [string, string])[]) =>
    personBehind({ people, accounts }, requestOf({ method, headers }))
  return { ask, read }
}

const site = (text: string) => ['sec-fetch-site', text] as const
const origin = (text: string) => ['origin', text] as const

test.each([
  ['a program, which says nothing', 'GET', [], true],
  ['a page of ours', 'GET', [site('same-origin')], true],
  ['an address that was typed', 'GET', [site('none')], true],
  ['a link on a foreign page', 'GET', [site('cross-site')], false],
  ['a link on a page of a neighbour', 'GET', [site('same-site')], false],
  ['a foreign page that asks for headers alone', 'HEAD', [site('cross-site')], false],
  ['a foreign page that says where it is from', 'GET', [site('cross-site'), origin('http://evil.test')], false],
  ['a page of ours on another origin', 'GET', [site('cross-site'), origin(home)], true],
  ['a change, which is looked at elsewhere', 'POST', [site('cross-site')], true],
] as const)('%s: its session', async (_what, method, headers, isRead) => {
  const { ask, read } = pageOf()
  const person = await ask(method, ...headers)
  const consumeNonce = expect.any(Function) as () => Promise<void>
  expect(person).toEqual(isRead ? { wallet: ada, proof: 'key', via: 'session', consumeNonce } : null)
  expect(await person?.consumeNonce()).toBe(undefined)
  expect(read).toEqual(isRead ? [method] : [])
})

test('a request without a session has nobody behind it', async () => {
  expect(await pageOf(false).ask('GET')).toBe(null)
})

test('an account that proves itself otherwise is refused', async () => {
  await expect(pageOf(true, true).ask('GET')).rejects.toMatchObject({ code: 'ACCOUNT_PROOF_DIFFERS' })
})
