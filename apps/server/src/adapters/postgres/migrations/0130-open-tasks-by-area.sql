-- Open tasks are searched by the part of the map that is in view (decision 0225).
create index tasks_open_area on tasks (area_lat, area_lng) where status = 'published' and area_lat is not null;
