import type { ShownPlace } from '@ergon/core'
import { done, type HandlersOf } from '../dispatch/handlers.ts'
import type { ApiDeps } from './deps.ts'

type WirePlace = {
  readonly task_id: string
  readonly precision: 'exact' | 'area'
  readonly lat: number
  readonly lng: number
  readonly radius_m: number
}

export function createPlaceHandlers({
  market,
}: ApiDeps): HandlersOf<'tasks.setLocation' | 'tasks.location' | 'tasks.removeLocation'> {
  return {
    'tasks.setLocation': async ({ caller }, input) => {
      const given = { lat: input.lat, lng: input.lng, radiusM: input.radius_m ?? null }
      await market.setPlace(caller, input.task_id, given)
      return done(present(input.task_id, await market.readPlace(caller, input.task_id)))
    },
    'tasks.location': async ({ caller }, input) =>
      done(present(input.task_id, await market.readPlace(caller, input.task_id))),
    'tasks.removeLocation': async ({ caller }, input) => {
      await market.setPlace(caller, input.task_id, null)
      return done({ task_id: input.task_id })
    },
  }
}

function present(taskId: string, { precision, lat, lng, radiusM }: ShownPlace): WirePlace {
  return { task_id: taskId, precision, lat, lng, radius_m: radiusM }
}
