import { CodeBlock } from "@/components/ui/code-block";
import { Tab, TabList, TabPanel, Tabs } from "@/components/ui/tabs";

interface CommandTabsProps {
  label: string;
  copyLabel: string;
  tabs: readonly { id: string; name: string; text: string; commands: readonly { title: string; code: string }[] }[];
}

export function CommandTabs({ label, copyLabel, tabs }: CommandTabsProps) {
  return (
    <Tabs defaultValue={tabs[0]?.id}>
      <TabList aria-label={label}>
        {tabs.map((tab) => (
          <Tab key={tab.id} value={tab.id}>
            {tab.name}
          </Tab>
        ))}
      </TabList>
      {tabs.map((tab) => (
        <TabPanel key={tab.id} value={tab.id} className="pt-5">
          <p className="text-ink-2">{tab.text}</p>
          <div className="mt-4 grid gap-4">
            {tab.commands.map((command) => (
              <CodeBlock key={command.title} title={command.title} code={command.code} copyLabel={copyLabel} />
            ))}
          </div>
        </TabPanel>
      ))}
    </Tabs>
  );
}
