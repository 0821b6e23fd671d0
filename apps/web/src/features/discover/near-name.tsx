import { lazy, Suspense, type ReactNode } from 'react'
import { useKnownTowns } from '../../components/towns/known-towns.ts'
import type { Point } from '../../lib/geo.ts'

const NearTown = lazy(async () => ({ default: (await import('./near-town.tsx')).NearTown }))

/** The town that is looked around, where the towns are loaded anyway; nothing is fetched to say it. */
export function NearName({ near }: { readonly near: Point | undefined }): ReactNode {
  const towns = useKnownTowns()
  return near === undefined || towns.state !== 'here' ? null : (
    <Suspense fallback={null}>
      <NearTown index={towns.index} near={near} />
    </Suspense>
  )
}
