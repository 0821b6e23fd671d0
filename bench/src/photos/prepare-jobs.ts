import { createClient, type Client } from '@ergon/sdk'
import { privateKeySigner } from '@ergon/protocols'
import type { BenchMarket } from '../market/bench-market.ts'

/** A worker who has everything ready and has not submitted yet. */
export type Job = { readonly taskId: string; readonly photoUrl: string }
export type Jobs = { readonly worker: Client; readonly jobs: readonly Job[] }

const bountyUsd = 0.1
/** Locks are made on the chain; a few at a time keep it and the database busy. */
const atOnce = 4

/** Tasks that are published, applied to, assigned with the bounty locked, and have their photo uploaded. */
export async function prepareJobs(
  { record, market }: BenchMarket,
  photos: (index: number) => Promise<Buffer>,
  count: number,
): Promise<Jobs> {
  const [first, second] = record.wallets.map(({ privateKey }) => privateKeySigner(privateKey))
  if (first === undefined || second === undefined) throw new Error('the constellation has too few wallets')
  const [publisher, worker] = [first, second].map((signer) =>
    createClient({ baseUrl: market.url, chainId: record.chainId, signer }),
  )
  if (publisher === undefined || worker === undefined) throw new Error('two wallets make two clients')
  const profile = await worker.workers.register({ name: 'Worker of the bench' })
  const jobs: Job[] = []
  let next = 0
  const prepareSome = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++) {
      const task = await publisher.tasks.publish({
        title: `Photograph corner ${String(index)}`,
        instructions: 'Take one photo of the corner, from across the street.',
        category: 'physical_presence',
        bounty_usd: bountyUsd,
        evidence_required: ['photo'],
        client_ref: crypto.randomUUID(),
      })
      await worker.tasks.apply({ task_id: task.id, message: 'I am near.' })
      await publisher.assignWorker({
        task_id: task.id,
        executor_id: profile.id,
        worker_wallet: second.address,
        bounty_usd: bountyUsd,
      })
      const photo = await worker.uploadEvidence({
        task_id: task.id,
        evidence_type: 'photo',
        filename: 'corner.jpg',
        content_type: 'image/jpeg',
        bytes: await photos(index),
      })
      jobs.push({ taskId: task.id, photoUrl: photo.public_url })
    }
  }
  await Promise.all(Array.from({ length: atOnce }, prepareSome))
  return { worker, jobs }
}
