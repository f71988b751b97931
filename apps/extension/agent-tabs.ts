/** Opens a tab in the background, in the tab group of a client, without taking the focus. */
export async function openInBackground(client: string): Promise<number> {
  const window = await chrome.windows.getLastFocused({ windowTypes: ['normal'] }).catch(() => undefined) // no window is open
  const tab =
    window?.id === undefined
      ? (await chrome.windows.create({ focused: false, url: 'about:blank' })).tabs?.[0]
      : await chrome.tabs.create({ url: 'about:blank', active: false, windowId: window.id })
  if (tab?.id === undefined) throw new Error('Chrome did not open a tab')
  await addToGroup(tab.id, { title: `pagehand: ${client}`, windowId: tab.windowId })
  return tab.id
}

async function addToGroup(tabId: number, { title, windowId }: { title: string; windowId: number }): Promise<void> {
  const [known] = await chrome.tabGroups.query({ title, windowId })
  if (known) {
    await chrome.tabs.group({ tabIds: [tabId], groupId: known.id })
    return
  }
  const groupId = await chrome.tabs.group({ tabIds: [tabId], createProperties: { windowId } })
  await chrome.tabGroups.update(groupId, { title, color: 'blue' })
}
