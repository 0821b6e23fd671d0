import type { Submission } from '../submissions/submission.ts'
import type { Task } from '../tasks/task.ts'

const at = new Date('2026-11-21T00:00:00Z')

/** A valid published task of 10 USDC; overrides win. */
export function aTask(overrides: Partial<Task> = {}): Task {
  return {
    id: '01950000-0000-7000-8000-000000000001',
    status: 'published',
    title: 'Photograph the gate',
    instructions: 'Stand in front of the gate and take one photo.',
    category: 'simple_action',
    bounty: { atomic: 10_000_000n, asset: { symbol: 'USDC', network: 'localnet', decimals: 6 } },
    deadline: new Date(at.getTime() + 86_400_000),
    publisherWallet: '0x1111111111111111111111111111111111111111',
    publisherType: 'agent',
    publisherAgentId: 1,
    target: 'any',
    executorId: null,
    evidenceRequired: ['photo'],
    evidenceOptional: [],
    locationHint: null,
    area: null,
    minReputation: 0,
    policy: null,
    turn: null,
    reviewUntil: null,
    startBy: null,
    escrowStatus: 'pending_assignment',
    escrowTx: null,
    paymentTx: null,
    refundTx: null,
    createdAt: at,
    updatedAt: at,
    ...overrides,
  }
}

/** A valid submission that waits for review; overrides win. */
export function aSubmission(overrides: Partial<Submission> = {}): Submission {
  return {
    id: '01950000-0000-7000-8000-000000000002',
    taskId: aTask().id,
    executorId: '01950000-0000-7000-8000-000000000003',
    status: 'pending_review',
    submittedAt: at,
    evidence: { text_response: 'done' },
    notes: null,
    checks: [],
    preCheckScore: null,
    coverage: null,
    verifiedAt: null,
    rejectionReason: null,
    paymentTx: null,
    decidedAt: null,
    evidenceAccessedAt: null,
    takenDown: null,
    ...overrides,
  }
}
