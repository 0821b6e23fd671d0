const headings = 'h1, h2, h3'
const none: readonly Element[] = []

/**
 * What has the focus may be taken from the page: loading gives way to what was loaded, a row is done, the control that
 * opened a dialog is gone when it closes. The browser then leaves the focus nowhere, and a reader without a pointer
 * begins at the top again. Here it goes to the heading of the nearest part that is still there.
 */
export function keepFocus(page: Document): Disposable {
  const ending = new AbortController()
  // Where the focus was last, outside of dialogs, and everything around it; nothing after a person has left it on
  // purpose.
  let around = none
  const isNowhere = (): boolean => page.activeElement === null || page.activeElement === page.body
  const note = ({ target }: FocusEvent): void => {
    if (target instanceof Element && target.closest('dialog') === null) around = ancestorsOf(target)
  }
  const leave = ({ target }: FocusEvent): void => {
    queueMicrotask(() => {
      if (isNowhere() && target instanceof Element && target.isConnected && target.closest('dialog') === null)
        around = none
    })
  }
  const mend = (): void => {
    if (!isNowhere()) return
    // Behind an open dialog nothing takes the focus.
    const dialog = [...page.querySelectorAll('dialog:modal')].at(-1)
    if (dialog !== undefined) focusHeading(dialog)
    else if (around[0]?.isConnected === false)
      focusHeading(
        around.find(
          (one) =>
            one.isConnected &&
            one !== page.documentElement &&
            one !== page.body &&
            one.querySelector(headings) !== null,
        ) ?? page.querySelector('main'),
      )
  }
  const watcher = new MutationObserver(mend)
  watcher.observe(page.body, { subtree: true, childList: true, attributes: true, attributeFilter: ['open'] })
  page.addEventListener('focusin', note, ending)
  page.addEventListener('focusout', leave, ending)
  return {
    [Symbol.dispose]() {
      watcher.disconnect()
      ending.abort()
    },
  }
}

function ancestorsOf(element: Element): readonly Element[] {
  const all: Element[] = []
  for (let one: Element | null = element; one !== null; one = one.parentElement) all.push(one)
  return all
}

function focusHeading(part: Element | null): void {
  const heading = part?.querySelector<HTMLElement>(headings) ?? null
  if (heading === null) {
    if (part instanceof HTMLElement) part.focus({ preventScroll: true })
    return
  }
  if (!heading.hasAttribute('tabindex')) heading.tabIndex = -1
  heading.focus({ preventScroll: true })
}
