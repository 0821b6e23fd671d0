import { askRaw } from '../ask.ts'
import { createTally, type AttackClass } from '../attack-class.ts'
import { freshAddress, newCaller } from '../caller.ts'
import { signedIn } from '../person.ts'
import type { Target } from '../target.ts'

/** Whom a request is for, and whose page sent it. */
export const doors: AttackClass = {
  name: 'doors',
  on: 'any',
  held: 'one Host, our own targets, pages of our own origin, ten wrong admin keys a minute of an address',
  async attack(target) {
    const tally = createTally()
    for (const [what, request, status = 400] of foreignTargets(new URL(target.url).host)) {
      const answer = await askRaw(target.url, request, freshAddress())
      tally.attempt(what, answer.startsWith(`HTTP/1.1 ${String(status)} `))
    }
    for (const [what, isStopped] of await foreignPages(target)) tally.attempt(what, isStopped)
    for (const [what, isStopped] of await adminKeys(target)) tally.attempt(what, isStopped)
    return tally.score()
  },
}

function foreignTargets(host: string): readonly (readonly [what: string, request: string, status?: number])[] {
  const own = `Host: ${host}\r\nConnection: close\r\n`
  const path = '/api/v1/tasks/available'
  return [
    ['two hosts', `GET ${path} HTTP/1.1\r\n${own}host: ${host}\r\n\r\n`],
    ['a second, foreign host', `GET ${path} HTTP/1.1\r\n${own}HOST: evil.test\r\n\r\n`],
    ['two hosts on a path that nothing answers', `GET /nowhere HTTP/1.1\r\n${own}Host: evil.test\r\n\r\n`],
    ['a URL of a foreign host', `GET http://evil.test${path} HTTP/1.1\r\n${own}\r\n`],
    [
      'a URL of a foreign host that Host names too',
      `GET http://evil.test${path} HTTP/1.1\r\nHost: evil.test\r\nConnection: close\r\n\r\n`,
    ],
    [
      'a URL of ours beside a foreign Host',
      `GET http://${host}${path} HTTP/1.1\r\nHost: evil.test\r\nConnection: close\r\n\r\n`,
    ],
    ['a URL of ours with a name in it', `GET http://evil.test@${host}${path} HTTP/1.1\r\n${own}\r\n`],
    ['a target that is neither path nor URL', `GET tasks HTTP/1.1\r\n${own}\r\n`],
    ['no host', `GET ${path} HTTP/1.1\r\nConnection: close\r\n\r\n`],
    ['both lengths', `POST ${path} HTTP/1.1\r\n${own}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}`],
    ['a flood of header lines', `GET ${path} HTTP/1.1\r\n${own}${'a:\r\n'.repeat(20_000)}\r\n`, 431],
  ]
}

/** What a page of another site makes the browser of a signed-in person send: nothing of it is that person's. */
async function foreignPages(target: Target): Promise<readonly (readonly [string, boolean])[]> {
  const { cookie, caller, own } = await signedIn(target)
  const block = { wallet: newCaller(target).wallet }
  const blocked = async (): Promise<unknown> =>
    JSON.stringify((await caller.ask('GET', '/api/v1/users/blocked', undefined, { cookie })).body['blocked'])
  const before = await blocked()
  const posts = await Promise.all(
    [{ origin: 'http://evil.test' }, { origin: 'null' }, {}].map(
      async (origin) =>
        [
          `a post of a page from ${JSON.stringify(origin)}`,
          (await caller.ask('POST', '/api/v1/users/block', block, { cookie, ...origin })).status >= 400,
        ] as const,
    ),
  )
  const after = await blocked()
  // The same post from a page of the service's own shows that it was the page that was refused.
  const isOwn =
    (await caller.ask('POST', '/api/v1/users/block', block, own)).status < 300 && (await blocked()) !== after
  // A wallet is blocked now: a page that leads here reads as a stranger does, whose list is empty.
  const reads = await Promise.all(
    ['cross-site', 'same-site'].map(async (site) => {
      const { body } = await caller.ask('GET', '/api/v1/users/blocked', undefined, { cookie, 'sec-fetch-site': site })
      return [`a read that a ${site} page leads to`, !JSON.stringify(body).includes(block.wallet.slice(2))] as const
    }),
  )
  return [
    ...reads,
    ...posts,
    ['a foreign page changed something', before === after],
    ['a page of our own is refused', isOwn],
  ]
}

const guesses = 30

async function adminKeys(target: Target): Promise<readonly (readonly [string, boolean])[]> {
  const guesser = newCaller(target)
  const answers = []
  for (let index = 0; index < guesses; index += 1)
    answers.push(
      (await guesser.ask('GET', '/api/v1/admin/config', undefined, { 'x-admin-key': `guess-${String(index)}` })).status,
    )
  const looked = answers.filter((status) => status === 401).length
  return answers.map(
    (status, index) =>
      [`wrong admin key ${String(index + 1)}`, (status === 401 && looked <= 10) || status === 429] as const,
  )
}
