import type { ReactNode } from 'react'
import { Failure } from './failure.tsx'

type FaultProps = { readonly of: { readonly error: Error | null; readonly refetch: () => Promise<unknown> } }

/** Why something could not be read, and the way to read it again; what was read before stays beside it. */
export function ReadFault({ of: { error, refetch } }: FaultProps): ReactNode {
  return error === null ? null : (
    <Failure
      error={error}
      retry={() => {
        void refetch()
      }}
    />
  )
}
