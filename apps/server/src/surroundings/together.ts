import { MarketError } from '@ergon/core'
import { createSharedRuns, type SharedRunsOptions } from '@ergon/process'

type TogetherOptions = Pick<SharedRunsOptions, 'most' | 'isOfOne'>

const terms = { mostWaiting: 10_000, refuse: () => new MarketError('SERVICE_BUSY') }

/** Answers many with one run; whoever comes while too many wait is told that the service is busy. */
export const createTogether = <A, B>(
  answer: Parameters<typeof createSharedRuns<A, B>>[0],
  options: TogetherOptions,
): ((asked: A) => Promise<B>) => createSharedRuns(answer, { ...terms, ...options })
