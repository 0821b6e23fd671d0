import { errorCatalogue, type ErrorCode } from '@ergon/contract'
import { ErgonError } from './ergon-error.ts'

/** An error of the catalogue, for an outcome the service reports by state rather than by an answer of its own. */
export function catalogueError(code: ErrorCode, details: Readonly<Record<string, unknown>>): ErgonError {
  return new ErgonError({ ...errorCatalogue[code], code, details })
}
