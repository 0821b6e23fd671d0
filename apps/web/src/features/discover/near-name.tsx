import { lazy, Suspense, type ReactNode } from 'react'
import { useKnownTowns } from '../../components/towns/known-towns.ts'
import type { Point } from '../../lib/geo.ts'

const NearTown = lazy(async () => ({ default: (await import('./near-town.tsx')).NearTown }))

type NearProps = { readonly near: Point | undefined; readonly otherwise?: ReactNode }

/** The town that is looked around, where the towns are loaded anyway; nothing is fetched to say it. */
export function NearName({ near, otherwise = null }: NearProps): ReactNode {
  const towns = useKnownTowns()
  return near === undefined || towns.state !== 'here' ? (
    otherwise
  ) : (
    <Suspense fallback={otherwise}>
      <NearTown index={towns.index} near={near} />
    </Suspense>
  )
}
