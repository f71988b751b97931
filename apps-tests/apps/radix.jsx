import { Checkbox, Dialog, DropdownMenu, Select, Switch } from 'radix-ui'
import { useState } from 'react'
import { show } from './react-state.jsx'

function App() {
  const [state, setState] = useState({ size: '', terms: false, alerts: false, action: '', renamed: '' })
  const [renaming, setRenaming] = useState(false)
  const set = to => setState(now => ({ ...now, ...to }))
  window.state = state
  return (
    <div style={{ display: 'grid', gap: 16, maxWidth: 320 }}>
      <Select.Root value={state.size} onValueChange={size => set({ size })}>
        <Select.Trigger aria-label="Size">
          <Select.Value placeholder="Pick a size" />
        </Select.Trigger>
        <Select.Portal>
          <Select.Content>
            <Select.Viewport>
              {['Small', 'Medium', 'Large'].map(size => (
                <Select.Item key={size} value={size.toLowerCase()}>
                  <Select.ItemText>{size}</Select.ItemText>
                </Select.Item>
              ))}
            </Select.Viewport>
          </Select.Content>
        </Select.Portal>
      </Select.Root>
      <label>
        <Checkbox.Root checked={state.terms} onCheckedChange={terms => set({ terms })} style={{ width: 20, height: 20 }}>
          <Checkbox.Indicator>✓</Checkbox.Indicator>
        </Checkbox.Root>{' '}
        Terms
      </label>
      <label>
        <Switch.Root checked={state.alerts} onCheckedChange={alerts => set({ alerts })} style={{ width: 40, height: 20 }}>
          <Switch.Thumb />
        </Switch.Root>{' '}
        Alerts
      </label>
      <DropdownMenu.Root>
        <DropdownMenu.Trigger>Actions</DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content>
            <DropdownMenu.Item onSelect={() => set({ action: 'copy' })}>Copy</DropdownMenu.Item>
            <DropdownMenu.Item onSelect={() => set({ action: 'archive' })}>Archive</DropdownMenu.Item>
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
      <Dialog.Root open={renaming} onOpenChange={setRenaming}>
        <Dialog.Trigger>Rename</Dialog.Trigger>
        <Dialog.Portal>
          <Dialog.Overlay style={{ position: 'fixed', inset: 0, background: '#0006' }} />
          <Dialog.Content style={{ position: 'fixed', top: 80, left: 80, background: '#fff', padding: 24 }}>
            <Dialog.Title>Rename</Dialog.Title>
            <Dialog.Description>A new name for it</Dialog.Description>
            <form
              onSubmit={event => {
                event.preventDefault()
                set({ renamed: new FormData(event.target).get('name') })
                setRenaming(false)
              }}
            >
              <input name="name" aria-label="Name" />
              {/* a Dialog.Close would take the form away before the browser sends it */}
              <button type="submit">Save</button>
            </form>
          </Dialog.Content>
        </Dialog.Portal>
      </Dialog.Root>
    </div>
  )
}

show(<App />)
