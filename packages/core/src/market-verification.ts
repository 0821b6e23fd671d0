import type { Caller, WalletCaller } from './caller.ts'
import type { TaskPlace } from './tasks/place.ts'

/** A place as a viewer may know it: the point and its radius, or the area around it. */
export type ShownPlace = TaskPlace & { readonly precision: 'exact' | 'area' }

/** Where tasks are done, and whether what was handed in holds (decisions 0053, 0054). */
export interface VerificationMarket {
  /** Null takes the place back. @throws TASK_NOT_EDITABLE once somebody applied */
  setPlace(
    caller: WalletCaller,
    taskId: string,
    place: { readonly lat: number; readonly lng: number; readonly radiusM: number | null } | null,
  ): Promise<ShownPlace | null>
  /** @throws LOCATION_NOT_FOUND */
  readPlace(caller: Caller, taskId: string): Promise<ShownPlace>
}
