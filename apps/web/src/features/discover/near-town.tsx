import { useMemo, type ReactNode } from 'react'
import { nearestTown } from '../../components/towns/nearest-town.ts'
import type { TownIndex } from '../../components/towns/town.ts'
import { useTownNames } from '../../components/towns/use-town-names.ts'
import type { Point } from '../../lib/geo.ts'
import { useMessages } from '../../lib/i18n.tsx'
import { discoverMessages } from './messages.ts'

/** `Near Lisbon, Portugal`, by the town that is nearest. */
export function NearTown({ index, near }: { readonly index: TownIndex; readonly near: Point }): ReactNode {
  const say = useMessages(discoverMessages)
  const names = useTownNames()
  const town = useMemo(() => nearestTown(index, near), [index, near])
  return town === undefined ? null : <p className="text-quiet">{say('nearTown', { town: names.town(town) })}</p>
}
