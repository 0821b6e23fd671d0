import type { ServiceDeps } from './service.ts'

/** What is known of the service when the rest of it is there. */
export type LateDeps = Pick<
  ServiceDeps,
  | 'live'
  | 'reach'
  | 'readiness'
  | 'loop'
  | 'counts'
  | 'clockAheadMs'
  | 'grants'
  | 'channels'
  | 'meters'
  | 'bountyNetwork'
>
