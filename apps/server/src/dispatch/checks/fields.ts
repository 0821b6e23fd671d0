import type { Check } from './check.ts'

/** The fields, gathered and held against the strict schema. @throws UNKNOWN_FIELD, VALIDATION_FAILED and the like */
export const fields: Check = (_deps, passage) => {
  const { plan, request, path } = passage
  passage.gathered = plan.gather(request, path)
  plan.check(passage.gathered.input)
}
