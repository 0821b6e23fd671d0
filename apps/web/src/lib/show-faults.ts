import type { FieldFaults } from './field-faults.ts'

/** Once the errors are in the page, the first field that has one gets the focus. */
export function focusFault(form: HTMLFormElement): void {
  requestAnimationFrame(() => {
    form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  })
}

/** Shows what was found beside the fields it belongs to. */
export const showIn =
  (form: HTMLFormElement, set: (found: FieldFaults) => void) =>
  (found: FieldFaults): void => {
    set(found)
    if (Object.keys(found).length > 0) focusFault(form)
  }
