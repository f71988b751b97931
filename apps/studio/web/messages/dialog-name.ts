/** Whether a text is the ref of an element, such as e12 or f1e3, and not its words. */
const isRef = (text: string): boolean => /^(f\d+)?e\d+$/.test(text)

/** The name of a dialog that opened; '' if it has none. It is reported as its ref, or as its role and name. */
export const dialogName = (dialog: string): string => (isRef(dialog) ? '' : dialog.replace(/^(alert)?dialog ?/, ''))
