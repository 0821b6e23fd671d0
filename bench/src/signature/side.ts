import { verifyRequest as verifyByReference } from '@slicekit/erc8128'
import { verifyRequest } from '@ergon/protocols'
import { verifyMessage } from 'viem'
import { chainId, host, signPosts, type SignedPost } from './signed-posts.ts'

export type SideName = 'ours' | 'reference'
export type SideRun = { readonly verifications: number; readonly cpuUs: number }

type Verify = (post: SignedPost) => () => Promise<{ readonly ok: boolean }>

const maxValiditySec = 300

/** Each side starts from what arrived, and pays for bringing it into the form it wants. */
const sides: Record<SideName, () => Verify> = { ours: createOurs, reference: createReference }

function createOurs(): Verify {
  const seen = new Set<string>()
  const nonces = { consume: async (key: string): Promise<boolean> => isFirst(seen, key) }
  const contracts = { isValidSignature: async (): Promise<boolean> => false }
  const policy = { authorities: [host], chains: [chainId], maxValiditySec, clockSkewSec: 5 }
  return ({ headers, body }) =>
    () => {
      const message = { method: 'POST', target: '/api/v1/tasks', headers: Object.entries(headers), body }
      return verifyRequest(message, { policy, now: Date.now() / 1000, nonces, contracts })
    }
}

function createReference(): Verify {
  const seen = new Set<string>()
  const nonceStore = { consume: async (key: string): Promise<boolean> => isFirst(seen, key) }
  return ({ url, headers, body }) =>
    () => {
      const request = new Request(url, { method: 'POST', headers, body })
      return verifyByReference({ request, verifyMessage, nonceStore, policy: { maxValiditySec, clockSkewSec: 5 } })
    }
}

function isFirst(seen: Set<string>, key: string): boolean {
  if (seen.has(key)) return false
  seen.add(key)
  return true
}

/** Verifies so many fresh requests one after another. */
async function run(verify: Verify, count: number): Promise<SideRun> {
  const jobs = (await signPosts(count)).map(verify)
  const before = process.cpuUsage()
  for (const job of jobs) {
    const answer = await job()
    if (!answer.ok) throw new Error(`a valid request was refused: ${JSON.stringify(answer)}`)
  }
  const { user, system } = process.cpuUsage(before)
  return { verifications: count, cpuUs: user + system }
}

const side = process.argv[2]
if (side !== 'ours' && side !== 'reference') throw new Error('the side is ours or reference')
const verify = sides[side]()
process.on('message', (count) => {
  void run(verify, Number(count)).then((result) => process.send?.(result))
})
process.on('disconnect', () => process.exit())
