"""Which unified memory: three attributes, four kinds; the recording machine's path is marked."""


def draw(c):
    c.size(720, 330)
    c.box(180, 8, 300, 34, "concurrentManagedAccess?", kind="accent")
    c.arrow(250, 42, 130, 84)
    c.text(170, 58, "0", size=13, anchor="end")
    c.arrow(400, 42, 430, 84)
    c.text(428, 58, "1", size=13, anchor="start")
    c.box(20, 86, 220, 44, "limited:\nWindows, WSL, some Tegra", kind="muted")
    c.box(290, 86, 300, 34, "pageableMemoryAccess?", kind="accent")
    c.arrow(340, 120, 190, 166)
    c.text(246, 136, "0", size=13, anchor="end")
    c.arrow(490, 120, 520, 166)
    c.text(518, 136, "1", size=13, anchor="start")
    c.box(40, 168, 260, 60, "full, for memory\nfrom CUDA calls:\nthe recording machine", kind="gpu")
    c.box(340, 168, 370, 34, "pageableMemoryAccessUsesHostPageTables?", kind="accent")
    c.arrow(430, 202, 400, 256)
    c.text(404, 224, "0", size=13, anchor="end")
    c.arrow(600, 202, 630, 256)
    c.text(628, 224, "1", size=13, anchor="start")
    c.box(310, 258, 190, 60, "full, all memory,\nin software: HMM", kind="memory")
    c.box(520, 258, 190, 60, "full, all memory,\nin hardware: ATS", kind="memory")
