import * as Type from 'typebox'
import { operation } from '../operation.ts'
import { closed, id, open, optional } from '../schema.ts'
import { limits } from '../vocabulary.ts'

const section = 'tasks'
const path = '/api/v1/tasks/{task_id}/location'
const task_id = id('The task.')
const lat = Type.Number({ minimum: -90, maximum: 90, description: 'Degrees (WGS 84).' })
const lng = Type.Number({ minimum: -180, maximum: 180, description: 'Degrees (WGS 84).' })
const shown = open({
  task_id,
  precision: Type.Enum(['exact', 'area'], {
    description: '`exact` to the publisher and the assigned worker; everybody else gets the area around it.',
  }),
  lat,
  lng,
  radius_m: Type.Integer({ description: 'exact: what counts as being there. area: how far the place is at the most.' }),
})

/** Where a task has to be done: a sub-resource, because the fields of a task are closed (decision 0054). */
export const places = {
  set: operation({
    section,
    summary: 'Say where the task has to be done; while nobody has applied.',
    access: { by: 'wallet', scope: 'task:write', unsigned: 401, session: true },
    input: closed({
      task_id,
      lat,
      lng,
      radius_m: optional(
        Type.Integer({
          minimum: limits.radiusMinM,
          maximum: limits.radiusMaxM,
          description: 'Metres; 500, or 1000 for simple_action, when left out.',
        }),
      ),
    }),
    output: shown,
    success: 200,
    errors: ['TASK_NOT_FOUND', 'FORBIDDEN', 'TASK_NOT_EDITABLE'],
    rest: [{ method: 'PUT', path }],
  }),
  get: operation({
    section,
    summary: 'Where a task has to be done: the point and its radius, or the area.',
    access: { by: 'anyone', scope: 'task:read', session: true },
    input: closed({ task_id }),
    output: shown,
    success: 200,
    errors: ['TASK_NOT_FOUND', 'TASK_GONE', 'FORBIDDEN', 'SIGNATURE_REQUIRED', 'LOCATION_NOT_FOUND'],
    rest: [{ method: 'GET', path }],
  }),
  remove: operation({
    section,
    summary: 'Take the place of a task back; while nobody has applied.',
    access: { by: 'wallet', scope: 'task:write', unsigned: 401, session: true },
    input: closed({ task_id }),
    output: open({ task_id }),
    success: 200,
    errors: ['TASK_NOT_FOUND', 'FORBIDDEN', 'TASK_NOT_EDITABLE'],
    rest: [{ method: 'DELETE', path }],
  }),
}
