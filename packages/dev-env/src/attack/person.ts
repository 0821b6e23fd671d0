import { newCaller, type Caller } from './caller.ts'
import type { Target } from './target.ts'

export type Person = {
  readonly caller: Caller
  readonly cookie: string
  /** Headers of a page of the service's own. */
  readonly own: Readonly<Record<string, string>>
}

/** A new person who signed in as a page of the service does. @throws when the service does not let them in */
export async function signedIn(target: Pick<Target, 'url' | 'chainId'>, address?: string): Promise<Person> {
  const caller = address === undefined ? newCaller(target) : newCaller(target, address)
  const origin = { origin: target.url }
  const {
    body: { message },
  } = await caller.ask('POST', '/api/v1/auth/session/challenge', { wallet: caller.signer.address }, origin)
  const text = typeof message === 'string' ? message : ''
  const opened = await caller.ask(
    'POST',
    '/api/v1/auth/session',
    { message: text, signature: await caller.signer.signMessage(text) },
    origin,
  )
  const cookie = opened.headers['set-cookie']?.[0]?.split(';', 1)[0] ?? ''
  if (opened.status !== 201 || cookie === '')
    throw new Error(`nobody can sign in: ${String(opened.status)} ${JSON.stringify(opened.body)}`)
  return { caller, cookie, own: { ...origin, cookie } }
}
