import {
  createMarket,
  type EvidenceInspector,
  type EvidenceStorage,
  type FileFacts,
  type Market,
  type Reviewer,
  type Submission,
} from '@ergon/core'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { createPostgresStore } from '../../src/adapters/postgres/index.ts'
import { gateTask, openStage, publisher, worker, type Stage } from './stage.ts'

export const second = { ...worker, wallet: '0x3333333333333333333333333333333333333333', agentId: 3 }
export const gate = { lat: 48.208_21, lng: 16.373_81 }

export const near = (metres: number) => ({ lat: gate.lat + metres / 111_320, lng: gate.lng, accuracy_meters: 8 })

export const resultOf = (submission: Submission, name: string): string | undefined =>
  submission.checks.find((one) => one.name === name)?.result

type Handed = { readonly taskId: string; readonly submissionId: string }
type HandInOptions = {
  readonly as?: typeof worker
  readonly place?: boolean
  readonly device?: Record<string, unknown>
}

/** A market with an inspector and a reviewer that the tests of a file set; both are harmless again before each test. */
export type CheckingStage = {
  readonly stage: Stage
  market: Market
  /** What the inspector finds in the file that ends with this name. */
  readonly facts: Map<string, Partial<FileFacts>>
  inspect: EvidenceInspector['inspect']
  reviewer: Reviewer | null
  /** Another process over the same database: nothing but rows is remembered. */
  readonly openMarket: () => Market
  readonly handIn: (evidence: Submission['evidence'], options?: HandInOptions) => Promise<Handed>
  readonly verified: (handed: Handed) => Promise<Submission>
}

export function useCheckingStage(): CheckingStage {
  let stage: Stage
  /** What the inspector finds in the file that ends with this name. */
  const facts = new Map<string, Partial<FileFacts>>()
  let inspect: EvidenceInspector['inspect']
  let reviewer: Reviewer | null = null
  let market: Market

  beforeAll(async () => {
    stage = await openStage()
  })
  afterAll(() => stage[Symbol.asyncDispose]())
  beforeEach(async () => {
    facts.clear()
    reviewer = null
    inspect = (file) =>
      Promise.resolve({
        sha256: file.sha256,
        contentType: file.content_type,
        bytes: file.bytes,
        width: 4_000,
        height: 3_000,
        image: null,
        exif: null,
        aiMarkers: [],
        trouble: null,
        ...facts.get(file.sha256),
      })
    market = openMarket()
    await market.ensureIdentity(second.wallet)
  })

  /** Another process over the same database: nothing but rows is remembered. */
  function openMarket(): Market {
    const evidence: EvidenceStorage = {
      ...stage.deps.evidence,
      resolve: (link, owner) =>
        Promise.resolve({
          key: `${owner.taskId}/${owner.executorId}/${link.slice(-4)}`,
          contentType: 'image/jpeg',
          bytes: 1_000,
          sha256: link.slice(link.lastIndexOf('/') + 1).padStart(64, '0'),
          cleanKey: null,
        }),
    }
    return createMarket({
      ...stage.deps,
      store: createPostgresStore(stage.pool, { identityNetwork: 'localnet' }),
      evidence,
      verification: { inspector: { inspect: (file) => inspect(file) }, reviewer: () => reviewer },
    })
  }

  async function handIn(evidence: Submission['evidence'], options: HandInOptions = {}): Promise<Handed> {
    const as = options.as ?? worker
    const evidenceRequired = Object.keys(evidence) as ('photo' | 'gps')[]
    const { task } = await market.publish(
      publisher,
      gateTask({ category: 'physical_presence', bountyUsd: '1', evidenceRequired }),
    )
    if (options.place !== false) await market.setPlace(publisher, task.id, { ...gate, radiusM: null })
    const application = await market.apply(as, task.id, { executorId: null, message: null })
    const challenge = await market.assignChallenge(publisher, task.id, application.executorId)
    await market.assign(publisher, task.id, {
      executorId: application.executorId,
      notes: null,
      paymentAuth: JSON.stringify(challenge.envelope),
    })
    stage.clock.advance(60_000)
    const { submission } = await market.submit(as, task.id, {
      executorId: null,
      evidence,
      notes: null,
      deviceMetadata: options.device ?? null,
    })
    return { taskId: task.id, submissionId: submission.id }
  }

  async function verified({ submissionId }: Handed): Promise<Submission> {
    await market.duties.verify()
    return market.readSubmission(publisher, submissionId)
  }

  return {
    get stage() {
      return stage
    },
    get market() {
      return market
    },
    set market(next) {
      market = next
    },
    get inspect() {
      return inspect
    },
    set inspect(next) {
      inspect = next
    },
    get reviewer() {
      return reviewer
    },
    set reviewer(next) {
      reviewer = next
    },
    facts,
    openMarket,
    handIn,
    verified,
  }
}
