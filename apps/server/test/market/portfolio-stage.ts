import { createMarket, type Market, type WalletCaller } from '@ergon/core'
import { createMedia } from '../../src/adapters/inspector/create-media.ts'
import { createPortfolioBudget } from '../../src/adapters/postgres/index.ts'
import { approval, assignJob, gateTask, openStage, publisher, untilQuiet, worker, type Stage } from './stage.ts'

export type PaidWork = { readonly taskId: string; readonly submissionId: string; readonly executorId: string }

/** A market that makes pictures of what its files hold, in the real parser process. */
export type PortfolioStage = AsyncDisposable & {
  readonly stage: Stage
  readonly market: Market
  /** The same market, in which all this happens before a picture is made. */
  meanwhile(act: () => Promise<unknown>): Market
  /** Files by their keys; evidence names them `http://evidence/<key>`. */
  readonly files: Map<string, Uint8Array>
  handedIn(evidence?: Readonly<Record<string, unknown>>): Promise<PaidWork>
  /** Accepted and paid. */
  paid(evidence?: Readonly<Record<string, unknown>>): Promise<PaidWork>
}

export const caller = (n: number): WalletCaller => ({
  kind: 'wallet',
  wallet: `0x${n.toString(16).padStart(40, '0')}`,
  agentId: n,
  via: 'signature',
})

export async function openPortfolioStage(): Promise<PortfolioStage> {
  await using stack = new AsyncDisposableStack()
  const stage = stack.use(await openStage('fase2'))
  const files = new Map<string, Uint8Array>()
  const maker = stack.use(
    createMedia({
      read: (key) => Promise.resolve(files.get(key) ?? Promise.reject(new Error('no such file'))),
      taskOf: () => null,
      processes: 1,
      timeoutMs: 20_000,
    }),
  )
  const portfolio = { maker: stage.watch(maker), budget: stage.watch(createPortfolioBudget(stage.pool)) }
  const market = createMarket({ ...stage.deps, portfolio })
  const meanwhile = (act: () => Promise<unknown>): Market => {
    const shown: typeof maker.shown = async (file) => {
      await act()
      return maker.shown(file)
    }
    return createMarket({ ...stage.deps, portfolio: { ...portfolio, maker: stage.watch({ ...maker, shown }) } })
  }
  const handedIn = async (evidence: Readonly<Record<string, unknown>> = {}): Promise<PaidWork> => {
    const asked = { bountyUsd: '1', evidenceOptional: ['photo', 'screenshot', 'document'] } as const
    const { task } = await market.publish(publisher, gateTask(asked))
    const { executorId } = await market.apply(worker, task.id, { executorId: null, message: null })
    const challenge = await market.assignChallenge(publisher, task.id, executorId)
    await assignJob(stage, { taskId: task.id, executorId, paymentAuth: JSON.stringify(challenge.envelope) })
    const given = { executorId: null, notes: null, deviceMetadata: null }
    const { submission } = await market.submit(worker, task.id, {
      ...given,
      evidence: { text_response: 'It is open.', ...evidence },
    })
    return { taskId: task.id, submissionId: submission.id, executorId }
  }
  const owned = stack.move()
  return {
    stage,
    market,
    meanwhile,
    files,
    handedIn,
    async paid(evidence) {
      const work = await handedIn(evidence)
      await market.approve(publisher, work.submissionId, await approval(stage, work.submissionId))
      await untilQuiet(stage)
      return work
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}
